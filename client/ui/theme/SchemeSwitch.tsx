import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useId } from 'react'
import { schemeTexts } from '../texts.ts'
import styles from './SchemeSwitch.module.css'
import { choose, useSchemeChoice } from './scheme.ts'

const CHOICES = [
  { value: 'auto', label: schemeTexts.auto, Icon: IconDeviceDesktop },
  { value: 'dark', label: schemeTexts.dark, Icon: IconMoon },
  { value: 'light', label: schemeTexts.light, Icon: IconSun },
] as const

/** Chooses dark, light or the system's scheme; kept on this device. */
export function SchemeSwitch() {
  const chosen = useSchemeChoice()
  const name = useId()
  return (
    <fieldset className={styles.switch}>
      <legend className={styles.legend}>{schemeTexts.label}</legend>
      {CHOICES.map(({ value, label, Icon }) => (
        <label key={value} className={styles.choice} title={label}>
          <input
            type="radio"
            name={name}
            className={styles.radio}
            checked={chosen === value}
            onChange={() => choose(value)}
            aria-label={label}
          />
          <Icon size={18} stroke={1.75} aria-hidden />
        </label>
      ))}
    </fieldset>
  )
}
