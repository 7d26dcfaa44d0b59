import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { scheduleRoutes } from '../../../../contract/routes/promotion/schedule.ts'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextInput } from '../../../ui/fields/TextInput.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { changesOf } from '../parts/edited.ts'
import { type Queue, queueChanges, queueQuery } from '../timeline/api.ts'
import { removalsQuery } from './api.ts'
import styles from './slots.module.css'
import { reuseTexts as texts } from './texts.ts'

/** The rules by which good posts are posted again, and bad ones deleted. */
export function ReuseRules() {
  const queue = useQuery(queueQuery)
  return (
    <Card>
      <section aria-labelledby="reuse">
        <h2 id="reuse" className={styles.heading}>
          {texts.title}
        </h2>
        <Fetched query={queue} waiting={<SkeletonLines lines={4} />} failed={texts.failed}>
          {(data) => <RulesForm queue={data} />}
        </Fetched>
      </section>
    </Card>
  )
}

const [RECYCLE_DAYS, REMOVE_BELOW] = [30, 1]
const isWhole = (text: string) => /^-?\d{1,9}$/.test(text.trim())
const NUMBERS = ['recycleDays', 'recycleMinScore', 'removeBelow', 'removeAfterHours'] as const

type Rules = Record<'recycles' | 'removes', boolean> & Record<(typeof NUMBERS)[number], string>

const rulesOf = ({ recycles, removes, ...numbers }: Rules) => ({
  recycleDays: recycles ? Number(numbers.recycleDays) : null,
  removeBelow: removes ? Number(numbers.removeBelow) : null,
  ...(recycles ? { recycleMinScore: Number(numbers.recycleMinScore) } : {}),
  ...(removes ? { removeAfterHours: Number(numbers.removeAfterHours) } : {}),
})

function RulesForm({ queue }: { queue: Queue }) {
  const [isAsking, setAsking] = useState(false)
  const form = useContractForm(scheduleRoutes.editQueue, {
    initial: {
      recycles: queue.recycleDays !== null,
      recycleDays: String(queue.recycleDays ?? RECYCLE_DAYS),
      recycleMinScore: String(queue.recycleMinScore),
      removes: queue.removeBelow !== null,
      removeBelow: String(queue.removeBelow ?? REMOVE_BELOW),
      removeAfterHours: String(queue.removeAfterHours),
    },
    body: (values, kept) => changesOf(rulesOf(values), rulesOf(kept)),
    check: (values) =>
      Object.fromEntries(
        NUMBERS.filter((name) => values[name.startsWith('recycle') ? 'recycles' : 'removes'])
          .filter((name) => !isWhole(values[name]))
          .map((name) => [name, texts.whole]),
      ),
    onSuccess: () => toast.success(texts.saved),
    meta: queueChanges,
    lost: texts.lost,
  })
  const { recycles, removes } = form.values
  const number = (name: (typeof NUMBERS)[number], label: string) => (
    <TextInput
      label={label}
      inputMode="numeric"
      value={form.values[name]}
      error={form.errorAt(name)}
      onChange={(event) => form.set(name, event.currentTarget.value)}
    />
  )
  return (
    <ContractForm form={form} label={texts.title}>
      <Switch
        size="md"
        label={texts.recycle}
        description={texts.recycleHint}
        checked={recycles}
        onChange={({ currentTarget: { checked } }) => form.set('recycles', checked)}
      />
      {recycles && (
        <div className={styles.numbers}>
          {number('recycleDays', texts.recycleDays)}
          {number('recycleMinScore', texts.recycleMinScore)}
        </div>
      )}
      <Switch
        size="md"
        label={texts.remove}
        description={texts.removeHint}
        checked={removes}
        onChange={({ currentTarget: { checked } }) =>
          checked ? setAsking(true) : form.set('removes', false)
        }
      />
      {removes && (
        <>
          <div className={styles.numbers}>
            {number('removeBelow', texts.removeBelow)}
            {number('removeAfterHours', texts.removeAfterHours)}
          </div>
          <Removals below={form.values.removeBelow} afterHours={form.values.removeAfterHours} />
        </>
      )}
      <FormError>{form.error}</FormError>
      <div>
        <Button type="submit" loading={form.pending}>
          {texts.save}
        </Button>
      </div>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={texts.removeTitle}
        confirmLabel={texts.removeConfirm}
        destructive
        onConfirm={async () => form.set('removes', true)}
      >
        <p>{texts.removeEffect}</p>
      </ConfirmDialog>
    </ContractForm>
  )
}

/** The posts that saving would delete at once. */
function Removals({ below, afterHours }: { below: string; afterHours: string }) {
  const hours = Number(afterHours)
  const isComplete = isWhole(below) && isWhole(afterHours) && hours >= 1 && hours <= 72
  const { data } = useQuery({ ...removalsQuery(Number(below), hours), enabled: isComplete })
  return (
    <p role="status" className={data?.count ? styles.problem : styles.quiet}>
      {data && isComplete ? texts.now(data.count) : ''}
    </p>
  )
}
