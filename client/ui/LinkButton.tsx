import { Link } from 'react-router'
import { type ButtonLook, buttonParts } from './core/Button.tsx'

/** A link that looks like a button: for going somewhere, never for doing something. */
export function LinkButton(props: ButtonLook & { to: string; onClick?: () => void }) {
  const { element, look, inside } = buttonParts(props)
  return (
    <Link {...element} {...look}>
      {inside}
    </Link>
  )
}
