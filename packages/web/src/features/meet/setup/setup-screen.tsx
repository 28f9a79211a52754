import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { LoginForm } from '../../../domain/sign-in/login-form.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { focusHeading } from '../../../platform/navigation/screen-focus.ts'
import { useUser } from '../../../platform/session/auth.ts'
import { useStore } from '../../../state/store.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { PasswordField } from '../../../ui/fields/password-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { DeviceFields } from '../devices/device-fields.tsx'
import { watchDevices } from '../devices/device-list.ts'
import { DeviceProblems } from '../devices/device-problems.tsx'
import type { LocalMedia } from '../devices/local-media.ts'
import { Preview } from '../devices/preview.tsx'
import { plainName } from '../plain-name.ts'
import { DoorKeeper } from './door-keeper.ts'
import { DoorNote } from './door-note.tsx'
import { buttonOf, type DoorState } from './door-state.ts'
import { NetworkTest } from './network-panel.tsx'
import { remember, remembered, requestId } from './remembered.ts'
import { RoomMissing } from './room-missing.tsx'
import { snapshot } from './snapshot.ts'

/** Credentials to start the meeting. */
export interface Entry {
  token: string
  role: number
  /** The room's password, for users allowed to see it. */
  password: string
}

export interface SetupScreenProps {
  room: string
  local: LocalMedia
  /** Whether to join without a further click if the room is open to the user and the devices work. */
  joinsAtOnce: boolean
  /** Prefetches the next screen. */
  prepare: () => Promise<unknown>
  onEnter: (entry: Entry) => void
}

/** Setup before entering a room: devices, name, password and problems. */
export function SetupScreen({ room, local, joinsAtOnce, prepare, onEnter }: SetupScreenProps) {
  const t = useT()
  const preview = useRef<HTMLVideoElement>(null)
  const [nickname, setNickname] = useNickname()
  const [password, setPassword] = useState('')
  const [isLogin, setLogin] = useState(false)
  const [keeper] = useState(() => new DoorKeeper(room))
  const door = useStore(keeper.state)

  // Before the first request, which is an effect as well.
  useEffect(() =>
    keeper.tell({
      nickname: plainName(nickname),
      password,
      requestId: requestId(),
      picture: () => snapshot(preview.current),
      canPublish: () => local.canPublish,
    }),
  )
  useEffect(() => {
    void keeper.check()
    return () => keeper.stop()
  }, [keeper])
  useEntry(door, onEnter)
  const areDevicesOpen = useDevices(local, door)
  const { isKnown } = door
  useEffect(() => {
    if (isKnown) void prepare().catch(() => undefined)
  }, [isKnown, prepare])

  const join = () => {
    remember('nickname', plainName(nickname))
    return keeper.join()
  }
  useJoinAtOnce(joinsAtOnce && areDevicesOpen && (door.stand === 'ready' || door.stand === 'opens'), join)

  if (door.stand === 'missing') return <RoomMissing room={room} />
  return (
    <>
      <PageHead title={t('meet.title', { room })} facts={<RoomFacts door={door} />} />
      <div className="meet-setup">
        <div className="stack">
          <Preview local={local} videoRef={preview} />
          <DeviceProblems local={local} />
        </div>
        <Panel>
          {isLogin ? (
            <OwnerLogin
              onBack={() => setLogin(false)}
              onDone={() => {
                setLogin(false)
                void keeper.check()
              }}
            />
          ) : (
            <JoinForm
              door={door}
              local={local}
              nickname={nickname}
              onNickname={setNickname}
              password={password}
              onPassword={setPassword}
              onLogin={() => setLogin(true)}
              onJoin={join}
              onRetry={() => (door.stand === 'denied' ? keeper.join() : keeper.check())}
            />
          )}
        </Panel>
        <NetworkTest />
      </div>
    </>
  )
}

/** The last used name, otherwise the account's; input takes precedence. */
function useNickname(): [string, (name: string) => void] {
  const user = useUser()
  const [typed, setTyped] = useState(() => remembered('nickname') || undefined)
  const own = [user?.settings.first_name, user?.settings.last_name].filter(Boolean).join(' ')
  return [typed ?? own, setTyped]
}

/** On admission, hands the setup over to the meeting. */
function useEntry({ entry, config }: DoorState, onEnter: (entry: Entry) => void): void {
  const enter = useRef(onEnter)
  useEffect(() => {
    enter.current = onEnter
  })
  useEffect(() => {
    if (entry) enter.current({ ...entry, password: config?.password ?? '' })
  }, [entry, config])
}

/** Joins once, as soon as everything is ready. */
function useJoinAtOnce(isReady: boolean, join: () => Promise<void>): void {
  const joinNow = useEffectEvent(() => void join())
  useEffect(() => {
    if (isReady) joinNow()
  }, [isReady])
}

/**
 * Opens devices once the room is known to exist and releases them if the user can't enter. Returns whether they are open,
 * without problems.
 */
function useDevices(local: LocalMedia, { isKnown, stand }: DoorState): boolean {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!isKnown) return
    void local.open().then(() => {
      const { microphone, camera } = local.state.get()
      setOpen(!microphone.problem && !camera.problem)
    })
    return watchDevices()
  }, [local, isKnown])
  const staysOut = stand === 'missing' || stand === 'banned'
  useEffect(() => {
    if (staysOut) local.release()
  }, [local, staysOut])
  return isOpen
}

function RoomFacts({ door: { config, stand } }: { door: DoorState }) {
  const t = useT()
  const facts = [
    (stand === 'ready' || stand === 'in') && t('meet.factOpen'),
    stand === 'closed' && t('meet.factClosed'),
    config?.locked && t('words.locked'),
    config?.requires_password && t('meet.factPassword'),
    config?.nomedia && t('words.guestsOnlyWatch'),
  ].filter(Boolean)
  return facts.length > 0 ? facts.join(' · ') : t('meet.lead')
}

interface JoinFormProps {
  door: DoorState
  local: LocalMedia
  nickname: string
  onNickname: (name: string) => void
  password: string
  onPassword: (password: string) => void
  onLogin: () => void
  onJoin: () => Promise<void>
  onRetry: () => Promise<void>
}

function JoinForm(props: JoinFormProps) {
  const { door, local, nickname, onNickname, password, onPassword, onJoin } = props
  const t = useT()
  const form = useRef<HTMLFormElement>(null)
  const button = buttonOf(door)
  const isBusy = door.isJoining || door.stand === 'waiting' || door.stand === 'in'
  const { attempts } = door
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (button === 'join' && !isBusy) void onJoin()
  }
  return (
    <form ref={form} className="stack" aria-label={t('meet.form')} noValidate onSubmit={submit}>
      <TextField
        id="nickname"
        name="nickname"
        label={t('words.yourName')}
        value={nickname}
        onValue={onNickname}
        error={door.wrong === 'nickname' ? t('meet.nicknameNeeded') : undefined}
        optional={!door.config?.locked && door.stand !== 'name'}
        autoComplete="name"
        maxLength={64}
      />
      <DeviceFields local={local} />
      {(door.config?.requires_password || door.stand === 'password') && (
        <PasswordField
          id="password"
          name="password"
          label={t('meet.password')}
          value={password}
          onValue={onPassword}
          error={
            door.wrong === 'password' ? t(password ? 'meet.passwordWrong' : 'meet.passwordNeeded') : undefined
          }
          placeholder={t('meet.passwordPlaceholder')}
          autoComplete="off"
          maxLength={191}
        />
      )}
      <SetupButton {...props} isBusy={isBusy} />
      <DoorNote door={door} />
    </form>
  )
}

function SetupButton({
  door,
  isBusy,
  onLogin,
  onRetry,
}: Pick<JoinFormProps, 'door' | 'onLogin' | 'onRetry'> & { isBusy: boolean }) {
  const t = useT()
  const button = buttonOf(door)
  if (button === 'login') {
    return (
      <Button variant="primary" size="large" full onPress={onLogin}>
        {t('meet.iAmOwner')}
      </Button>
    )
  }
  if (button === 'retry') {
    return (
      <Button size="large" full onPress={onRetry}>
        {t('meet.retry')}
      </Button>
    )
  }
  const isKnock = door.stand === 'name' || door.stand === 'waiting'
  return (
    <Button
      type="submit"
      variant="primary"
      size="large"
      full
      busy={isBusy}
      busyLabel={t(isKnock ? 'meet.asking' : 'meet.joining')}
      disabled={button === 'none' && !isBusy}
    >
      {t(isKnock ? 'meet.askToJoin' : button === 'none' ? 'meet.join' : 'meet.joinNow')}
    </Button>
  )
}

/** Lets the owner sign in without leaving the page. */
function OwnerLogin({ onBack, onDone }: { onBack: () => void; onDone: () => void }) {
  const t = useT()
  useEffect(() => () => focusHeading(), [])
  return (
    <div className="stack">
      <div>
        <h2>{t('meet.loginTitle')}</h2>
        <p className="small text-2">{t('meet.loginText')}</p>
      </div>
      <LoginForm onSuccess={onDone} />
      <Button variant="quiet" full onPress={onBack}>
        {t('meet.loginBack')}
      </Button>
    </div>
  )
}
