import { Link, useLocation } from 'react-router'
import { afterLogin } from '../lib/redirect.ts'
import { type ButtonLook, buttonParts } from './core/Button.tsx'

/** A link that looks like a button: for going somewhere, never for doing something. */
export function LinkButton(
  props: ButtonLook & { to: string; state?: object; 'aria-label'?: string; onClick?: () => void },
) {
  const { element, look, inside } = buttonParts(props)
  return (
    <Link {...element} {...look}>
      {inside}
    </Link>
  )
}

/** A way to log in or sign up that leads back to this page afterward. */
export function ReturningLinkButton(props: ButtonLook & { to: string }) {
  const { pathname, search } = useLocation()
  return <LinkButton {...props} onClick={() => afterLogin.save(pathname + search)} />
}
