import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { afterLogin } from '../lib/redirect.ts'

type ReturningLinkButtonProps = ButtonProps & { to: string; children: ReactNode }

/** A way to log in or sign up that leads back to this page afterwards. */
export function ReturningLinkButton({ to, children, ...button }: ReturningLinkButtonProps) {
  const { pathname, search } = useLocation()
  return (
    <Button component={Link} to={to} onClick={() => afterLogin.save(pathname + search)} {...button}>
      {children}
    </Button>
  )
}
