import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { scheduleRoutes } from '../../../../contract/routes/promotion/schedule.ts'
import { todaysZone } from '../../../../contract/time-zones.ts'
import { call, errorMessage } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { TextInput } from '../../../ui/fields/TextInput.tsx'
import { formatHour } from '../../../ui/format-occasional.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { ownTimeZone } from '../../../ui/own-time-zone.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { toast } from '../../../ui/toast.ts'
import { changesOf } from '../parts/edited.ts'
import { Toggles } from '../parts/Toggles.tsx'
import { dayName, WEEK } from '../parts/week.ts'
import { type Queue, queueChanges, queueQuery, useStopAccount } from './api.ts'
import { queueTexts as texts } from './texts.ts'
import styles from './timeline.module.css'

/** The rhythm of the queue, a pause for everything, and the accounts that post. */
export function QueueDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      <Content onSaved={onClose} />
    </Dialog>
  )
}

function Content({ onSaved }: { onSaved: () => void }) {
  const queue = useQuery(queueQuery)
  return (
    <Fetched query={queue} waiting={<SkeletonLines lines={8} />} failed={texts.failed}>
      {(data) => (
        <>
          <RhythmForm queue={data} onSaved={onSaved} />
          <Accounts accounts={data.accounts} />
        </>
      )}
    </Fetched>
  )
}

type Rhythm = Pick<Queue, 'timeZone' | 'days' | 'hours' | 'paused'> & {
  gapMinutes: string
  sameMediaMinutes: string
}

const settingsOf = ({ gapMinutes, sameMediaMinutes, ...rest }: Rhythm) => ({
  ...rest,
  gapMinutes: Number(gapMinutes),
  sameMediaMinutes: Number(sameMediaMinutes),
})

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

function RhythmForm({ queue, onSaved }: { queue: Queue; onSaved: () => void }) {
  const client = useQueryClient()
  const form = useContractForm(scheduleRoutes.editQueue, {
    initial: {
      timeZone: queue.timeZone,
      days: [...queue.days],
      hours: [...queue.hours],
      gapMinutes: String(queue.gapMinutes),
      sameMediaMinutes: String(queue.sameMediaMinutes),
      paused: queue.paused,
    },
    body: (values, kept) => changesOf(settingsOf(values), settingsOf(kept)),
    send: async (changes) => {
      await call(routes.editQueue, { body: changes })
      return changes
    },
    check: ({ gapMinutes, sameMediaMinutes }) => ({
      ...(/^\d+$/.test(gapMinutes) ? {} : { gapMinutes: texts.whole }),
      ...(/^\d+$/.test(sameMediaMinutes) ? {} : { sameMediaMinutes: texts.whole }),
    }),
    onSuccess: (changes) => {
      // Opened again before the server was asked, the form would begin with what was before.
      client.setQueryData(queueQuery.queryKey, (known) => known && ({ ...known, ...changes } as Queue))
      toast.success(texts.saved)
      onSaved()
    },
    meta: queueChanges,
    lost: texts.lost,
  })
  const { timeZone, days, hours, gapMinutes, sameMediaMinutes, paused } = form.values
  const own = ownTimeZone()
  const zones = [...new Set([timeZone, ...Intl.supportedValuesOf('timeZone').map(todaysZone), 'UTC'])].sort()
  return (
    <ContractForm form={form} label={texts.title}>
      <p>{texts.lead}</p>
      <Switch
        size="md"
        label={texts.pause}
        description={texts.pauseHint}
        checked={paused}
        onChange={({ currentTarget: { checked } }) => form.set('paused', checked)}
      />
      <SelectField
        label={texts.timeZone}
        value={timeZone}
        onChange={(value) => form.set('timeZone', value)}
        choices={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
      />
      {timeZone !== own && (
        <div>
          <Button variant="subtle" size="sm" onClick={() => form.set('timeZone', own)}>
            {texts.takeOwnZone(own.replaceAll('_', ' '))}
          </Button>
        </div>
      )}
      <Toggles
        legend={texts.days}
        numbers={WEEK}
        chosen={days}
        nameOf={dayName}
        labelOf={(day) => dayName(day, 'short')}
        error={form.errorAt('days')}
        onChange={(next) => form.set('days', next)}
      />
      <Toggles
        legend={texts.hours}
        numbers={HOURS}
        chosen={hours}
        nameOf={formatHour}
        labelOf={formatHour}
        error={form.errorAt('hours')}
        onChange={(next) => form.set('hours', next)}
      />
      <div className={styles.gaps}>
        <TextInput
          label={texts.gap}
          inputMode="numeric"
          value={gapMinutes}
          error={form.errorAt('gapMinutes')}
          onChange={(event) => form.set('gapMinutes', event.currentTarget.value)}
        />
        <TextInput
          label={texts.sameMedia}
          description={texts.sameMediaHint}
          inputMode="numeric"
          value={sameMediaMinutes}
          error={form.errorAt('sameMediaMinutes')}
          onChange={(event) => form.set('sameMediaMinutes', event.currentTarget.value)}
        />
      </div>
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending}>
        {texts.save}
      </Button>
    </ContractForm>
  )
}

function Accounts({ accounts }: { accounts: Queue['accounts'] }) {
  const stop = useStopAccount()
  if (accounts.length === 0) return null
  // Each is told of, also where another one follows before its answer.
  const set = (accountId: string, stopped: boolean) =>
    void stop
      .mutateAsync({ accountId, stopped })
      .catch((error: unknown) => toast.failure(errorMessage(error)))
  return (
    <section className={styles.accounts} aria-labelledby="queue-accounts">
      <h3 id="queue-accounts">{texts.accounts}</h3>
      <ul>
        {accounts.map(({ _id, name, state }) => (
          <li key={_id} className={styles.account}>
            <span className={styles.accountName}>u/{name}</span>
            <Tag tone={state === 'posting' ? 'good' : state === 'stopped' ? 'bad' : 'neutral'}>
              {texts.account[state]}
            </Tag>
            {state !== 'disconnected' && (
              <Button
                variant="default"
                size="sm"
                aria-label={state === 'stopped' ? texts.startOf(name) : texts.stopOf(name)}
                onClick={() => set(_id, state !== 'stopped')}
              >
                {state === 'stopped' ? texts.start : texts.stop}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
