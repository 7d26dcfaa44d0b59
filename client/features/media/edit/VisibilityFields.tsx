import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { FLAG_NAMES, type Flags, turn } from '../../../../contract/visibility.ts'
import styles from './VisibilityFields.module.css'
import { alsoTurned, audienceOf, FLAG_WORDS } from './words.ts'

/** The five flags as they move each other, and in words who can see the item with them (docs/product.md, Media). */
export function VisibilityFields({ value, onChange }: { value: Flags; onChange: (flags: Flags) => void }) {
  const [moved, setMoved] = useState<string | null>(null)
  return (
    <fieldset className={styles.fields}>
      <legend className={styles.legend}>Who can see it</legend>
      <p className={styles.audience}>
        <IconEye size={20} stroke={1.75} aria-hidden className={styles.icon} />
        <span>{audienceOf(value)}</span>
      </p>
      <p className={styles.moved}>With all off, the media is viewable by anyone with the link.</p>
      {FLAG_NAMES.map((name) => (
        <Switch
          key={name}
          checked={value[name]}
          onChange={(event) => {
            const next = turn(value, name, event.currentTarget.checked)
            setMoved(alsoTurned(value, next, name))
            onChange(next)
          }}
          label={FLAG_WORDS[name].label}
          description={FLAG_WORDS[name].description}
          size="md"
        />
      ))}
      <p className={styles.moved} aria-live="polite">
        {moved}
      </p>
    </fieldset>
  )
}
