import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import styles from './Button.module.css'

/** How a button looks, whatever element it is. */
export type ButtonLook = {
  variant?: 'filled' | 'default' | 'subtle' | 'light' | 'outline'
  size?: 'compact-md' | 'sm' | 'md' | 'lg'
  color?: 'red' | 'gray' | undefined
  /** Something is under way; it can't be pressed again meanwhile, and keeps the focus. */
  loading?: boolean
  leftSection?: ReactNode
  rightSection?: ReactNode
  fullWidth?: boolean
  className?: string | undefined
  children?: ReactNode
}

type Parts<Props extends ButtonLook> = {
  element: Omit<Props, keyof ButtonLook>
  look: {
    className: string
    'data-variant': string
    'data-size': string
    'data-color': string | undefined
    'data-wide': true | undefined
  }
  inside: ReactNode
}

/** Splits the props into the look, the element's own, and the content. */
export function buttonParts<Props extends ButtonLook>(props: Props): Parts<Props> {
  const {
    variant,
    size,
    color,
    loading,
    leftSection,
    rightSection,
    fullWidth,
    className,
    children,
    ...element
  } = props
  return {
    element,
    look: {
      className: className ? `${styles.button} ${className}` : (styles.button ?? ''),
      'data-variant': variant ?? 'filled',
      'data-size': size ?? 'md',
      'data-color': color,
      'data-wide': fullWidth || undefined,
    },
    inside: (
      <>
        <span className={styles.inside}>
          {leftSection && <span className={styles.section}>{leftSection}</span>}
          <span className={styles.label}>{children}</span>
          {rightSection && <span className={styles.section}>{rightSection}</span>}
        </span>
        {loading && <span className={styles.spinner} />}
      </>
    ),
  }
}

const swallow = (event: MouseEvent) => event.preventDefault()

/** Does something. What goes somewhere is a `LinkButton`. */
export function Button(props: ButtonLook & Omit<ComponentProps<'button'>, keyof ButtonLook>) {
  const { element, look, inside } = buttonParts(props)
  return (
    <button
      type="button"
      {...element}
      {...look}
      {...(props.loading && { 'data-loading': true, 'aria-disabled': true, onClick: swallow })}
    >
      {inside}
    </button>
  )
}

/** A link that looks like a button to what is not a page, such as a file. */
export function AnchorButton(props: ButtonLook & Omit<ComponentProps<'a'>, keyof ButtonLook>) {
  const { element, look, inside } = buttonParts(props)
  return (
    <a {...element} {...look}>
      {inside}
    </a>
  )
}
