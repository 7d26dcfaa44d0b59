import { useState } from 'react'
import { Button } from '../core/Button.tsx'
import { Bars, type BarsProps } from './Bars.tsx'
import styles from './Chart.module.css'
import { chartTexts } from './texts.ts'

type ChartProps = BarsProps & {
  /** Further columns of the table, beside what the bars show. */
  columns: readonly { header: string; cells: readonly string[] }[]
  /** How the first column is called: what the bars stand for. */
  unit: string
}

/** Bars over time, and the same as a table for who would rather read figures. */
export function Chart({ columns, unit, ...bars }: ChartProps) {
  const [asTable, setAsTable] = useState(false)
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.caption}>
        <span className={styles.summary}>{bars.summary}</span>
        <Button
          variant="subtle"
          size="compact-md"
          aria-pressed={asTable}
          onClick={() => setAsTable((before) => !before)}
        >
          {chartTexts.asTable}
        </Button>
      </figcaption>
      {asTable ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
        <section className={styles.scroller} tabIndex={0} aria-label={bars.label}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{unit}</th>
                {columns.map(({ header }) => (
                  <th key={header} scope="col">
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {bars.points.map(({ key, title }, index) => (
                <tr key={key}>
                  <th scope="row">{title}</th>
                  {columns.map(({ header, cells }) => (
                    <td key={header}>{cells[index]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      ) : (
        <div className={styles.place}>
          <Bars {...bars} />
        </div>
      )}
    </figure>
  )
}
