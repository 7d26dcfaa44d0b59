import { useLocation } from 'react-router'
import { afterLogin } from '../lib/redirect.ts'
import type { ButtonLook } from './core/Button.tsx'
import { LinkButton } from './LinkButton.tsx'

/** A way to log in or sign up that leads back to this page afterwards. */
export function ReturningLinkButton(props: ButtonLook & { to: string }) {
  const { pathname, search } = useLocation()
  return <LinkButton {...props} onClick={() => afterLogin.save(pathname + search)} />
}
