import type { CSSProperties } from 'react'
import styles from './Bars.module.css'
import { scaleOf } from './points.ts'

export type BarsProps = {
  label: string
  /** `tick` stands at the axis where there is room for it, `title` where one points at the bar. */
  points: readonly { key: string; tick: string; title: string; value: number }[]
  /** How a value is written. */
  format: (value: number) => string
}

/** Ticks that a wide chart has room for, and a narrow one. */
const TICKS = 8
const FEW_TICKS = 4

/** Bars over an axis. Pointing at one says what it stands for; `Chart` has the same figures as a table. */
export function Bars({ label, points, format }: BarsProps) {
  const { min, max, lines } = scaleOf(points.map(({ value }) => value))
  const percent = (value: number) => `${((value - min) / (max - min)) * 100}%`
  const every = (ticks: number, index: number) => index % Math.ceil(points.length / ticks) === 0
  return (
    <div role="img" aria-label={label} className={styles.chart}>
      <div className={styles.lines}>
        {lines.map((line) => (
          <span
            key={line}
            className={styles.line}
            data-zero={line === 0 || undefined}
            style={{ '--at': percent(line) } as CSSProperties}
          >
            {format(line)}
          </span>
        ))}
      </div>
      <div className={styles.bars}>
        {points.map(({ key, tick, title, value }, index) => (
          <div key={key} className={styles.column}>
            <span
              className={styles.bar}
              style={
                {
                  '--from': percent(Math.min(0, value)),
                  '--height': `${(Math.abs(value) / (max - min)) * 100}%`,
                } as CSSProperties
              }
            />
            {every(TICKS, index) && (
              <span className={styles.tick} data-extra={!every(FEW_TICKS, index) || undefined}>
                {tick}
              </span>
            )}
            <span
              className={styles.tip}
              data-side={
                index < points.length / 4 ? 'start' : index > (points.length * 3) / 4 ? 'end' : 'middle'
              }
            >
              <b>{format(value)}</b> {title}
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}
