import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

type LinkButtonProps = ButtonProps & { to: string; onClick?: () => void; children: ReactNode }

/** A link that looks like a button: for going somewhere, never for doing something. */
export function LinkButton({ to, children, ...button }: LinkButtonProps) {
  return (
    <Button component={Link} to={to} {...button}>
      {children}
    </Button>
  )
}
