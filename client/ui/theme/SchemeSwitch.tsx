import { useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'
import { useId } from 'react'
import styles from './SchemeSwitch.module.css'

const CHOICES = [
  { value: 'auto', label: 'As the system', Icon: IconDeviceDesktop },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
  { value: 'light', label: 'Light', Icon: IconSun },
] as const

/** Chooses dark, light or the system's scheme; kept on this device. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const name = useId()
  return (
    <fieldset className={styles.switch}>
      <legend className={styles.legend}>Appearance</legend>
      {CHOICES.map(({ value, label, Icon }) => (
        <label key={value} className={styles.choice} title={label}>
          <input
            type="radio"
            name={name}
            className={styles.radio}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
            aria-label={label}
          />
          <Icon size={18} stroke={1.75} aria-hidden />
        </label>
      ))}
    </fieldset>
  )
}
