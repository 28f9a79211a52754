import {b,api,ctx,storageOf,shot,totp,base,sizes} from './pics.mjs'
const login=(email,more={})=>api('/api/auth/login',{body:{email,password:'simple123',...more}})
let codes=[]
const s=await login(process.env.WHO)
const fresh=async()=>storageOf(await login(process.env.WHO,{secondfactor:codes.pop()}))
const token=s.access_token
// authenticator app
const f=await api('/api/v4/factors/totp',{token,body:{label:'Phone of Ned'}})
const done=await api(`/api/v4/factors/totp/${f.id}/confirm`,{token,body:{code:totp(f.secret,-1)}})
codes=done.recoveryCodes
await api('/api/v4/app-passwords',{token,body:{name:'Thunderbird at home',scopes:['imap','smtp']}})
await api('/api/v4/app-passwords',{token,body:{name:'Calendar on the phone',scopes:['dav']}})
const dev=await api('/api/v4/companions',{token,body:{name:'Ned’s phone'}})
const pairing=await api(`/api/v4/companions/${dev.id}/pairing`,{token,method:'GET'})
// phone pages
const shots=[[1440,'light','en'],[1440,'dark','de'],[390,'light','de'],[390,'dark','en']]
{ // pairing panel first
  for (const [size,scheme,lang] of shots.slice(0,3)) { const c=await ctx(size,scheme,lang,await fresh()); const p=await c.newPage(); await p.goto('/companion/'+dev.id); await p.waitForLoadState('networkidle'); await p.locator('main').getByRole('button',{name:/Show the code|Code/}).first().click({timeout:4000}).catch(()=>console.log('no code button')); await shot(p,`companion-pair-${size}-${scheme}-${lang}`); await c.close() }
}
const pairing2=await api(`/api/v4/companions/${dev.id}/pairing`,{token,method:'GET'})
const phone=await ctx(390,'light','en'); const pp=await phone.newPage(); const u=new URL(pairing2.link); await pp.goto(u.pathname+u.hash); await pp.waitForLoadState('networkidle'); await shot(pp,'companionapp-pair-390-light-en')
await pp.getByRole('button',{name:'Pair'}).click(); await pp.getByText('Nobody is signing in').waitFor(); await shot(pp,'companionapp-home-390-light-en')
// passkey for passkeys-full: virtual authenticator
{ const c=await ctx(1440,'light','en',await fresh()); const p=await c.newPage(); const cdp=await c.newCDPSession(p); await cdp.send('WebAuthn.enable'); await cdp.send('WebAuthn.addVirtualAuthenticator',{options:{protocol:'ctap2',transport:'internal',hasResidentKey:true,hasUserVerification:true,isUserVerified:true,automaticPresenceSimulation:true}});
  await p.goto('/security'); await p.getByRole('region',{name:'Passkeys',exact:true}).getByRole('button',{name:'Add a passkey'}).click(); await shot(p,'dialog-passkey-1440-light-en'); await p.getByRole('dialog').getByRole('button',{name:'Create passkey'}).click(); await p.getByRole('dialog').waitFor({state:'detached'});
  // totp dialog
  await p.getByRole('region',{name:'Authenticator apps',exact:true}).getByRole('button',{name:'Add an app'}).click(); await p.getByRole('img',{name:/^QR/}).waitFor(); await shot(p,'dialog-totp-1440-light-en'); await p.keyboard.press('Escape');
  await p.getByRole('region',{name:'Recovery codes',exact:true}).getByRole('button',{name:/Make new codes/}).click(); await p.getByRole('dialog').waitFor(); await shot(p,'dialog-renew-1440-light-en'); await p.getByRole('dialog').getByRole('button',{name:/Make new codes/}).click(); await p.getByText('They are shown this once').waitFor(); codes=await p.getByRole('list',{name:'Recovery codes'}).locator('code').allInnerTexts(); await shot(p,'dialog-codes-1440-light-en'); await c.close() }
for (const [size,scheme,lang] of shots) {
  const c=await ctx(size,scheme,lang,await fresh()); const p=await c.newPage()
  for (const tab of ['factors','app-passwords','sessions']) { await p.goto('/security?tab='+tab); await p.waitForLoadState('networkidle'); await shot(p,`security-${tab}-full-${size}-${scheme}-${lang}`) }
  await p.goto('/companions'); await p.waitForLoadState('networkidle'); await shot(p,`companions-full-${size}-${scheme}-${lang}`)
  await p.goto('/companion/'+dev.id); await p.waitForLoadState('networkidle'); await shot(p,`companion-${size}-${scheme}-${lang}`)
  await c.close()
}
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
