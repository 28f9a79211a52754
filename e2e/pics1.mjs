import {b,api,ctx,storageOf,shot,totp} from './pics.mjs'
const login=(email,more={})=>api('/api/auth/login',{body:{email,password:'simple123',...more}})
let jane=await login('jane@acme.test')
// empty state pictures
for (const [size,scheme,lang] of [[1440,'light','en'],[1440,'dark','de'],[390,'light','de'],[390,'dark','en']]) {
  const c=await ctx(size,scheme,lang,storageOf(jane)); const p=await c.newPage()
  for (const tab of ['factors','app-passwords','sessions']) { await p.goto('/security?tab='+tab); await p.waitForLoadState('networkidle'); await shot(p,`security-${tab}-empty-${size}-${scheme}-${lang}`) }
  await p.goto('/companions'); await p.waitForLoadState('networkidle'); await shot(p,`companions-empty-${size}-${scheme}-${lang}`)
  await c.close()
}
await b.close()
