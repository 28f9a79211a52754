import {b,api,ctx,storageOf,shot,totp,base,sizes} from './pics.mjs'
const login=(email,more={})=>api('/api/auth/login',{body:{email,password:'simple123',...more}})
const WHO=process.env.WHO
const s=await login(WHO); const token=s.access_token
const f=await api('/api/v4/factors/totp',{token,body:{label:'Phone'}})
await api(`/api/v4/factors/totp/${f.id}/confirm`,{token,body:{code:totp(f.secret,-1)}})
const dev=await api('/api/v4/companions',{token,body:{name:'My phone'}})
const pairing=await api(`/api/v4/companions/${dev.id}/pairing`,{token,method:'GET'})
const shots=[[1440,'light','en'],[1440,'dark','de'],[390,'light','de'],[390,'dark','en']]
const phone=await ctx(390,'light','en'); const pp=await phone.newPage(); const u=new URL(pairing.link); await pp.goto(u.pathname+u.hash); await pp.getByRole('button',{name:'Pair'}).click(); await pp.getByText('Nobody is signing in').waitFor()
let k=0
for (const [size,scheme,lang] of shots) {
  const c=await ctx(size,scheme,lang); const p=await c.newPage(); await p.goto('/login'); await p.waitForLoadState('networkidle'); await shot(p,`login-${size}-${scheme}-${lang}`)
  await p.locator('input[type=email]').fill(process.env.WHO); await p.locator('input[autocomplete=current-password]').fill('simple123'); await p.locator('main form button.button-primary').click(); await p.locator('#second-step').waitFor(); await shot(p,`second-step-${size}-${scheme}-${lang}`)
  const other=p.getByRole('button',{name:/authenticator app|Authenticator-App|App/}).first(); if(await other.count()) { await other.click().catch(()=>{}); await shot(p,`second-step-code-${size}-${scheme}-${lang}`) }
  await c.close() }
// waiting dialog: sign in with code
{ const c=await ctx(1440,'light','en'); const p=await c.newPage(); await p.goto('/login'); await p.locator('input[type=email]').fill(process.env.WHO); await p.locator('input[autocomplete=current-password]').fill('simple123'); await p.getByLabel(/Second factor/).fill(totp(f.secret,0)); await p.locator('main form button.button-primary').click(); await p.getByRole('dialog').waitFor(); await p.getByText(/^\d\d$/).waitFor(); await shot(p,'dialog-wait-1440-light-en')
 await pp.getByText('Is that you signing in?').waitFor(); await shot(pp,'companionapp-prompt-390-light-en');
 await p.setViewportSize(sizes[390]); await shot(p,'dialog-wait-390-light-en')
 await p.emulateMedia({colorScheme:'dark'}); await pp.emulateMedia({colorScheme:'dark'}); await shot(p,'dialog-wait-390-dark-en'); await shot(pp,'companionapp-prompt-390-dark-en')
 await pp.getByRole('button',{name:'No, it is not me'}).click(); await p.getByText(/denied/).first().waitFor(); await shot(p,'dialog-denied-390-dark-en'); await pp.getByText('The sign-in was refused').waitFor(); await shot(pp,'companionapp-denied-390-dark-en')
 await phone.setOffline(true); await pp.getByText('No connection').waitFor(); await shot(pp,'companionapp-offline-390-dark-en'); await c.close() }
await b.close()
