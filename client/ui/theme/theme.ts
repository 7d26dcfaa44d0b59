import { createTheme, defaultVariantColorsResolver, type MantineColorsTuple } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { createElement } from 'react'

/** Mantine wants ten values a color; what is painted comes from the roles in mantine.css. */
const named = (name: string): MantineColorsTuple => {
  const role = `var(--mantine-color-${name}-filled)`
  return [role, role, role, role, role, role, role, role, role, role]
}

/** How Mantine's parts behave; how they look is in tokens.css and mantine.css. */
export const theme = createTheme({
  primaryColor: 'rose',
  colors: { rose: named('rose'), gold: named('gold') },
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver: (input) => {
    const resolved = defaultVariantColorsResolver(input)
    if (input.variant !== 'filled') return resolved
    return { ...resolved, color: input.color === 'red' ? 'var(--on-bad)' : 'var(--on-accent)' }
  },
  components: {
    NumberInput: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
    NativeSelect: {
      defaultProps: {
        rightSection: createElement(IconChevronDown, { size: 18, stroke: 1.75, 'aria-hidden': true }),
      },
    },
    Select: { defaultProps: { size: 'md' } },
    MultiSelect: { defaultProps: { size: 'md' } },
    // Within the landmark that they belong to, and with nothing in them but their items.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, portalProps: { target: 'main' } } },
    Modal: { defaultProps: { transitionProps: { duration: 160 } } },
  },
})
