import { IconSettings } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import styles from './PlayerSettings.module.css'
import { playerTexts } from './texts.ts'
import type { Qualities } from './use-stream.ts'

const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 2] as const
const AUTO = -1

/** The player's own keys are not for these fields while they are used. */
const OWN_KEYS = { keysused: 'ArrowUp ArrowDown ArrowLeft ArrowRight Space' }

type PlayerSettingsProps = { qualities: Qualities; speed: number; onSpeed: (speed: number) => void }

/** Quality, where the video is streamed in several, and speed. */
export function PlayerSettings({ qualities, speed, onSpeed }: PlayerSettingsProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useId()
  const { offered, chosen, shown, choose } = qualities
  const linesShown = offered.find(({ level }) => level === shown)?.lines

  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return
    // The viewer around it stays.
    event.stopPropagation()
    close()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what is open inside.
    <div className={styles.settings} onKeyDown={onKeyDown} data-viewer-controls>
      <button
        ref={button}
        type="button"
        className={styles.gear}
        aria-label={playerTexts.settings}
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => setOpen(!open)}
      >
        <IconSettings size={22} stroke={1.75} aria-hidden />
      </button>
      <div id={panel} className={styles.panel} hidden={!open}>
        {offered.length > 1 && (
          <Choice
            label={playerTexts.quality}
            value={chosen}
            options={[
              {
                value: AUTO,
                label: linesShown && chosen === AUTO ? playerTexts.autoAt(linesShown) : playerTexts.auto,
              },
              ...offered.map(({ level, lines }) => ({ value: level, label: playerTexts.lines(lines) })),
            ]}
            onChange={choose}
          />
        )}
        <Choice
          label={playerTexts.speed}
          value={speed}
          options={SPEEDS.map((value) => ({
            value,
            label: value === 1 ? playerTexts.normal : playerTexts.times(value),
          }))}
          onChange={onSpeed}
        />
      </div>
    </div>
  )
}

type ChoiceProps = {
  label: string
  value: number
  options: readonly { value: number; label: string }[]
  onChange: (value: number) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const name = useId()
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            className={styles.radio}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            {...OWN_KEYS}
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
