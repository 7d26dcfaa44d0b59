import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../../../ui/core/Button.tsx'
import { saveFile } from '../../../../ui/download.ts'
import { Fetched } from '../../../../ui/Fetched.tsx'
import { SelectField } from '../../../../ui/fields/SelectField.tsx'
import { formatMonth } from '../../../../ui/format.ts'
import { Money } from '../../../../ui/Money.tsx'
import { Section } from '../../../../ui/Page.tsx'
import { SkeletonLines } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { Facts } from '../Facts.tsx'
import styles from '../operator.module.css'
import { booksMonthQuery, fetchBooksMonth } from './api.ts'
import { monthTexts as texts } from './texts.ts'

/** The platform's result of a month, and its debts at the end (docs/operating.md, Commands). */
export function MonthOfBooks() {
  const [chosen, setChosen] = useState<string>()
  const query = useQuery({ ...booksMonthQuery(chosen), placeholderData: keepPreviousData })
  const month = chosen ?? query.data?.month
  return (
    <Section title={texts.title} action={month && <Download month={month} />}>
      <Fetched query={query} waiting={<SkeletonLines lines={4} />} failed={texts.failed}>
        {(data) => (
          <>
            <div className={styles.filters}>
              <SelectField
                label={texts.month}
                value={month ?? data.month}
                onChange={setChosen}
                choices={data.months.map((value, at) => ({
                  value,
                  label: at === 0 ? texts.soFar(formatMonth(value)) : formatMonth(value),
                }))}
              />
            </div>
            {data.month === month ? (
              <>
                <Facts
                  facts={[
                    { label: texts.sold, value: <Money cents value={data.sold} /> },
                    { label: texts.refunded, value: <Money cents value={data.refunded} /> },
                    { label: texts.share, value: <Money cents value={data.share} /> },
                    { label: texts.processorFees, value: <Money cents value={data.processorFees} /> },
                    { label: texts.disputeFees, value: <Money cents value={data.disputeFees} /> },
                    { label: texts.disputeLosses, value: <Money cents value={data.disputeLosses} /> },
                    { label: texts.earned, value: <Money cents value={data.earned} /> },
                    { label: texts.owed, value: <Money cents value={data.owed} /> },
                    { label: texts.payouts, value: <Money cents value={data.payouts} /> },
                  ]}
                />
                <p className={styles.note}>{texts.hint}</p>
              </>
            ) : (
              <SkeletonLines lines={4} />
            )}
          </>
        )}
      </Fetched>
    </Section>
  )
}

function Download({ month }: { month: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: fetchBooksMonth,
    onSuccess: ({ name, blob }) => saveFile(name, blob),
    onError: ({ message }) => toast.failure(message),
  })
  return (
    <Button
      size="sm"
      variant="default"
      leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
      loading={isPending}
      onClick={() => mutate(month)}
    >
      {texts.download}
    </Button>
  )
}
