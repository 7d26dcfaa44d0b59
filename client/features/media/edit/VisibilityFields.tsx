import { editTexts as texts } from './texts.ts'
import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { FLAG_NAMES, type Flags, turn } from '../../../../contract/visibility.ts'
import { Fold } from '../../../ui/Fold.tsx'
import { AudienceField } from './AudienceField.tsx'
import styles from './VisibilityFields.module.css'
import { alsoTurned, audienceOf, audienceWith, flagsOf } from './words.ts'

/**
 * The audience of the item: one of the common choices, or its five flags as they move each other (docs/product.md,
 * Media).
 */
export function VisibilityFields({ value, onChange }: { value: Flags; onChange: (flags: Flags) => void }) {
  const [moved, setMoved] = useState<string | null>(null)
  const [startsOpen] = useState(audienceWith(value) === null)
  return (
    <div className={styles.fields}>
      <AudienceField
        value={audienceWith(value)}
        onChange={(audience) => {
          setMoved(null)
          onChange(flagsOf(audience))
        }}
      />
      <p className={styles.audience}>
        <IconEye size={20} stroke={1.75} aria-hidden className={styles.icon} />
        <span>{audienceOf(value)}</span>
      </p>
      <Fold title={texts.advanced} open={startsOpen}>
        <p className={styles.moved}>{texts.allOff}</p>
        {FLAG_NAMES.map((name) => (
          <Switch
            key={name}
            checked={value[name]}
            onChange={(event) => {
              const next = turn(value, name, event.currentTarget.checked)
              setMoved(alsoTurned(value, next, name))
              onChange(next)
            }}
            label={texts.flags[name].label}
            description={texts.flags[name].description}
            size="md"
          />
        ))}
        <p className={styles.moved} aria-live="polite">
          {moved}
        </p>
      </Fold>
    </div>
  )
}
