import { useState } from 'react'
import { LoginForm } from '../../domain/sign-in/login-form.tsx'
import { useT } from '../../i18n/i18n.ts'
import { variant } from '../../platform/config.ts'
import { Entrance } from '../../ui/page/entrance.tsx'
import { OtherWays } from './other-ways.tsx'
import './login.css'

/** Sign-in page: the form on the left, alternatives on the right. */
export function LoginPage() {
  const t = useT()
  const isUser = variant() === 'user'
  const [isSecond, setSecond] = useState(false)
  return (
    <Entrance
      title={t('words.logIn')}
      lead={!isSecond && t(isUser ? 'login.lead' : 'login.leadStaff')}
      aside={isUser && <OtherWays />}
    >
      <LoginForm onStep={setSecond} />
    </Entrance>
  )
}
