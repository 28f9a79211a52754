import type { Overview, Problem } from '@gatehouse/contract/overview'
import { fileSize } from '../../../i18n/file-size.ts'
import { day, number } from '../../../i18n/format.ts'
import type { Translate } from '../../../i18n/i18n.ts'
import { config } from '../../../platform/config.ts'
import { problemText } from '../problem-words.ts'

export type FactTone = 'danger' | 'warning' | 'success'

/** What a tile says: a figure, what it counts, and a line below it. */
export interface TileFact {
  figure?: string
  unit?: string | undefined
  text: string
  tone?: FactTone | undefined
}

type Area<Name extends keyof Overview> = NonNullable<Overview[Name]>

/** What the overview says about the area of a tile; undefined: nothing. */
export function tileFact(name: string, overview: Overview, t: Translate): TileFact | undefined {
  const { domains, users, mailbox, distlists, resources, folders } = overview
  const { rooms, files, policies, companions } = overview
  const said = (problem: Problem | null) =>
    problem ? { text: problemText(problem, overview, t), tone: problem.level } : undefined
  switch (name) {
    case 'domains':
      return domains
        ? { figure: number(domains.total), ...(said(domains.problem) ?? domainText(domains, t)) }
        : undefined
    case 'users':
      return users ? { ...userFigure(users, t), ...(said(users.problem) ?? userText(users, t)) } : undefined
    case 'distlists':
      return distlists
        ? { figure: number(distlists.total), ...(said(distlists.problem) ?? distlistText(distlists, t)) }
        : undefined
    case 'resources':
      return resources
        ? { figure: number(resources.total), ...(said(resources.problem) ?? resourceText(resources, t)) }
        : undefined
    case 'folders':
      return folders
        ? { figure: number(folders.total), ...(said(folders.problem) ?? folderText(folders, t)) }
        : undefined
    case 'rooms':
      return rooms ? { figure: number(rooms.total), ...roomText(rooms, t) } : undefined
    case 'files':
      return files ? { ...fileFigure(files, t), ...(said(files.problem) ?? fileText(files, t)) } : undefined
    case 'webmail':
      return mailbox && config['app.mail_connected']
        ? mailboxFact(mailbox, said(mailbox.problem), t)
        : undefined
    case 'policies':
      return policies ? policyFact(policies, t) : undefined
    case 'companions':
      return companions
        ? {
            figure: number(companions.paired),
            unit: t('dashboard.devices', { count: companions.paired }),
            text: t(companions.paired > 0 ? 'dashboard.confirms' : 'dashboard.pair'),
          }
        : undefined
    default:
      return undefined
  }
}

function domainText({ total }: Area<'domains'>, t: Translate): TileFact {
  return { text: t(total > 0 ? 'dashboard.allConfirmed' : 'dashboard.noDomains') }
}

function userFigure({ total, active }: Area<'users'>, t: Translate) {
  const unit =
    total > 1 && active < total ? t('dashboard.active', { count: active, number: number(active) }) : undefined
  return { figure: number(total), unit }
}

function userText({ total, pending, mail }: Area<'users'>, t: Translate): TileFact {
  const text = userStates({ total, pending }, t)
  if (mail === null || !config['app.mail_connected']) return { text }
  const used = fileSize(mail.used)
  const sum = mail.quota === null ? used : t('words.usedOfLimit', { used, limit: fileSize(mail.quota) })
  return { text: t('dashboard.usersStorage', { text, sum }) }
}

function userStates({ total, pending }: Pick<Area<'users'>, 'total' | 'pending'>, t: Translate): string {
  if (pending > 0) return t('dashboard.pending', { count: pending, number: number(pending) })
  return t(total > 1 ? 'dashboard.allActive' : 'dashboard.onlyYou')
}

function distlistText({ total, members }: Area<'distlists'>, t: Translate): TileFact {
  if (total === 0) return { text: t('dashboard.noLists') }
  return { text: t('dashboard.listMembers', { count: members, number: number(members) }) }
}

function resourceText({ total }: Area<'resources'>, t: Translate): TileFact {
  return { text: t(total > 0 ? 'dashboard.bookable' : 'dashboard.noResources') }
}

function folderText({ total, mail, calendars, addressBooks }: Area<'folders'>, t: Translate): TileFact {
  const kinds = [
    calendars > 0 && t('dashboard.calendars', { count: calendars, number: number(calendars) }),
    addressBooks > 0 && t('dashboard.addressBooks', { count: addressBooks, number: number(addressBooks) }),
    mail > 0 && t('dashboard.mailFolders', { count: mail, number: number(mail) }),
  ].filter((text) => text !== false)
  if (total === 0) return { text: t('dashboard.noFolders') }
  return { text: kinds.length > 0 ? kinds.join(', ') : t('dashboard.otherFolders') }
}

function roomText({ total, open, busiest }: Area<'rooms'>, t: Translate): TileFact {
  if (busiest !== null && open === 1) {
    const { name, participants: count } = busiest
    return { text: t('dashboard.roomOpen', { name, count, number: number(count) }), tone: 'success' }
  }
  if (open > 1) return { text: t('dashboard.roomsOpen', { number: number(open) }), tone: 'success' }
  return { text: t(total > 0 ? 'dashboard.noMeeting' : 'dashboard.noRooms') }
}

function fileFigure({ used, quota }: Area<'files'>, t: Translate) {
  return { figure: fileSize(used), unit: t('dashboard.ofQuota', { quota: fileSize(quota) }) }
}

function fileText({ sharedWithMe: count }: Area<'files'>, t: Translate): TileFact {
  return {
    text: count > 0 ? t('dashboard.shared', { count, number: number(count) }) : t('dashboard.notShared'),
  }
}

function mailboxFact(
  { used, quota }: Area<'mailbox'>,
  problem: TileFact | undefined,
  t: Translate,
): TileFact | undefined {
  if (used === null) return { text: t('words.notMeasured') }
  const unit = quota === null ? undefined : t('dashboard.ofQuota', { quota: fileSize(quota) })
  return { text: '', ...problem, figure: fileSize(used), unit }
}

function policyFact({ least, greylist, requiresSecondFactor }: Area<'policies'>, t: Translate): TileFact {
  return {
    figure: `${number(least)}+`,
    unit: t('dashboard.characters'),
    text: t('dashboard.policyFacts', {
      greylist: greylist ? 'on' : 'off',
      factor: requiresSecondFactor ? 'required' : 'optional',
    }),
  }
}

/** How the user's sign-in is protected. */
export function securityFact({ sessions, isProtected }: Overview['security'], t: Translate): TileFact {
  const facts = { count: sessions, number: number(sessions) }
  return isProtected
    ? { text: t('dashboard.protected', facts) }
    : { text: t('dashboard.unprotected', facts), tone: 'warning' }
}

/** How long the balance lasts, or what is wrong with it. */
export function walletFact(overview: Overview, t: Translate): TileFact | undefined {
  const { wallet } = overview
  if (wallet === null) return undefined
  const { problem, autoPayment, lastsUntil } = wallet
  if (problem) return { text: problemText(problem, overview, t), tone: problem.level }
  if (autoPayment) return { text: t('dashboard.autoPayment') }
  if (lastsUntil === null) return { text: t('dashboard.lasts') }
  return { text: t('dashboard.lastsUntil', { date: day(lastsUntil, { dateStyle: 'long' }) }) }
}
