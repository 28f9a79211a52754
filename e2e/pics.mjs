// scratch, not committed
import { chromium } from 'playwright-core'
import { createHmac } from 'node:crypto'
const base='http://localhost:8300'
const out='/tmp/w3/pics'; import { mkdirSync } from 'node:fs'; mkdirSync(out,{recursive:true})
const b = await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox','--disable-gpu','--disable-quic','--disable-background-networking','--disable-component-update','--disable-sync']})
const alphabet='ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
function totp(secret, add=0){ const bits=[...secret.replaceAll(' ','')].map(l=>alphabet.indexOf(l).toString(2).padStart(5,'0')).join(''); const key=Buffer.from((bits.match(/.{8}/g)??[]).map(x=>parseInt(x,2))); const c=Buffer.alloc(8); c.writeBigUInt64BE(BigInt(Math.floor(Date.now()/30000)+add)); const d=createHmac('sha1',key).update(c).digest(); const o=d.at(-1)&15; return String((d.readUInt32BE(o)&0x7fffffff)%1e6).padStart(6,'0') }
const api=async(path,{token,body,method}={})=>{const r=await fetch(base+path,{method:method??(body?'POST':'GET'),headers:{'content-type':'application/json',...(token&&{authorization:'Bearer '+token})},body:body&&JSON.stringify(body)}); const j=await r.json(); if(!r.ok) console.log(path,r.status,JSON.stringify(j).slice(0,200)); return j}
const sizes={1440:{width:1440,height:900},390:{width:390,height:844}}
async function ctx(size,scheme,lang='en',storage){ const c=await b.newContext({baseURL:base,viewport:sizes[size],colorScheme:scheme,locale:lang==='de'?'de-CH':'en-GB',storageState:storage}); if(lang==='de') await c.addCookies([{name:'language',value:'de',url:base}]); c.setDefaultTimeout(15000); return c }
function storageOf(s){ return {cookies:[],origins:[{origin:base,localStorage:[['tokenExpires',String(Date.now()+3500e3)],['refreshToken',s.refresh_token],['refreshKey',crypto.randomUUID()],['sessionId',crypto.randomUUID()],['token',s.access_token]].map(([name,value])=>({name,value}))}]} }
const shot=async(p,name)=>{ await p.waitForTimeout(600); await p.screenshot({path:`${out}/${name}.png`,fullPage:!name.includes('dialog')}); console.log(name) }
export {b,base,api,ctx,storageOf,shot,totp,out,sizes}
