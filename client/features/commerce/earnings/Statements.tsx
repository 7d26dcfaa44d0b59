import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { fetchFile } from '../../../lib/files.ts'
import { routes } from '../../../lib/routes.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { saveFile } from '../../../ui/download.ts'
import { Fetched } from '../../../ui/Fetched.tsx'
import { Fold } from '../../../ui/Fold.tsx'
import { formatMonth } from '../../../ui/format.ts'
import { Section } from '../../../ui/Page.tsx'
import { toast } from '../../../ui/toast.ts'
import { statementsQuery } from './api.ts'
import styles from './Earnings.module.css'
import { texts } from './texts.ts'

const words = texts.statements
/** The number of statements shown at once. */
const NEWEST = 3

type Listed = { month: string; closing: string }

/** The statements of the finished months, each to be downloaded; `always`: even while there are none. */
export function Statements({ always }: { always: boolean }) {
  const statements = useQuery(statementsQuery)
  if (!always && !statements.data?.length) return null
  return (
    <Section title={words.title}>
      <Fetched query={statements} failed={words.failed}>
        {(data) =>
          data.length === 0 ? (
            <p className={styles.quiet}>{words.none}</p>
          ) : (
            <>
              <p className={styles.quiet}>{words.lead}</p>
              <Months items={data.slice(0, NEWEST)} />
              {data.length > NEWEST && (
                <Fold title={words.older}>
                  <Months items={data.slice(NEWEST)} />
                </Fold>
              )}
            </>
          )
        }
      </Fetched>
    </Section>
  )
}

function Months({ items }: { items: readonly Listed[] }) {
  return (
    <ul className={styles.months}>
      {items.map(({ month, closing }) => (
        <li key={month}>
          <span>
            {formatMonth(month)} <small>{words.balance(closing)}</small>
          </span>
          <Download month={month} />
        </li>
      ))}
    </ul>
  )
}

function Download({ month }: { month: string }) {
  const [loading, setLoading] = useState(false)
  const save = async () => {
    setLoading(true)
    try {
      const { name, blob } = await fetchFile(routes.statementFile, { params: { month } })
      saveFile(name, blob)
    } catch (error) {
      toast.failure(errorMessage(error))
    } finally {
      setLoading(false)
    }
  }
  return (
    <Button
      size="sm"
      variant="default"
      leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
      aria-label={words.downloadOf(formatMonth(month))}
      loading={loading}
      onClick={() => void save()}
    >
      {words.download}
    </Button>
  )
}
