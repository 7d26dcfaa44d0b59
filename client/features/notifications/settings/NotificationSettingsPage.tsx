import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { store } from '../../../lib/storage.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { formatTime } from '../../../ui/format.ts'
import { ownTimeZone } from '../../../ui/own-time-zone.ts'
import { Page, Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { type NotificationSettings, notificationSettingsQuery, useSetNotificationSettings } from '../api.ts'
import { PushSection } from './PushSection.tsx'
import styles from './settings.module.css'
import { TopicTable } from './TopicTable.tsx'
import { settingsTexts as texts } from './texts.ts'

/** The person's channels by topic, and their quiet hours. */
export function Component() {
  const settings = useQuery(notificationSettingsQuery)
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      width="text"
      back={<BackLink to={paths.notifications}>{texts.all}</BackLink>}
    >
      <Fetched query={settings} waiting={<SkeletonLines lines={10} />} failed={texts.loadFailed}>
        {(data) => <Settings settings={data} />}
      </Fetched>
    </Page>
  )
}

function Settings({ settings }: { settings: NotificationSettings }) {
  const set = useSetNotificationSettings()
  // Each is told of, also where another one follows before its answer.
  const save = (change: Parameters<typeof set.mutate>[0]) =>
    void set
      .mutateAsync(change)
      .catch((error: unknown) => toast.failure(`${texts.saveFailed} ${errorMessage(error)}`))
  return (
    <>
      <Section title={texts.topics}>
        <TopicTable topics={settings.topics} />
        <EmailTimes timeZone={settings.timeZone} onChange={save} />
      </Section>
      <Section title={texts.quiet}>
        <QuietHours settings={settings} onChange={save} />
      </Section>
      <Section title={texts.device}>
        <PushSection push={settings.push} showMessageText={settings.showMessageText} />
        <Switch
          className={styles.apart ?? ''}
          label={texts.showText}
          description={texts.showTextHint}
          checked={settings.showMessageText}
          size="md"
          onChange={(event) => save({ showMessageText: event.currentTarget.checked })}
        />
      </Section>
    </>
  )
}

type EmailTimesProps = {
  timeZone: NotificationSettings['timeZone']
  onChange: (change: { timeZone: string }) => void
}

/** When emails come, and in which time zone. */
function EmailTimes({ timeZone, onChange }: EmailTimesProps) {
  const own = ownTimeZone()
  return (
    <div className={`${styles.part} ${styles.under}`}>
      <p className={styles.about}>
        {texts.emailHint} {texts.zone(timeZone ?? own)}
      </p>
      {timeZone !== null && timeZone !== own && (
        <Button variant="default" size="sm" onClick={() => onChange({ timeZone: own })}>
          {texts.ownZone(own)}
        </Button>
      )}
    </div>
  )
}

const STEP_MINUTES = 30
const HOUR = 60
const NIGHT = { from: 22 * HOUR, to: 8 * HOUR }
const HOURS_KEY = 'quietHours'

/** The hours that were set when quiet hours were turned off in this browser; a night unless there were some. */
function hoursBefore(): { from: number; to: number } {
  const [, from, to] = (/^(\d+)-(\d+)$/.exec(store.getItem(HOURS_KEY) ?? '') ?? []).map(Number)
  const isTime = (minutes = Number.NaN) => minutes % STEP_MINUTES === 0 && minutes >= 0 && minutes < 24 * HOUR
  return isTime(from) && isTime(to) && from !== to ? { from: from ?? 0, to: to ?? 0 } : NIGHT
}

/** `10:00 PM`, of minutes of a day. */
const timeOf = (minutes: number) => formatTime(new Date(2026, 0, 1, 0, minutes))

/** One end alone leaves the other as another tab has set it. */
type QuietChange =
  | { quietHours: NotificationSettings['quietHours']; timeZone: string }
  | { quietFrom: number }
  | { quietTo: number }

type QuietHoursProps = {
  settings: NotificationSettings
  onChange: (change: QuietChange) => void
}

function QuietHours({ settings: { quietHours, timeZone }, onChange }: QuietHoursProps) {
  const own = ownTimeZone()
  const choices = Array.from({ length: (24 * HOUR) / STEP_MINUTES }, (_, at) => at * STEP_MINUTES)
  const choicesBut = (other: number) =>
    choices
      .filter((minutes) => minutes !== other)
      .map((minutes) => ({ value: String(minutes), label: timeOf(minutes) }))
  return (
    <div className={styles.part}>
      <Switch
        label={texts.quietSwitch}
        description={texts.quietHint}
        checked={quietHours !== null}
        size="md"
        onChange={(event) => {
          if (quietHours) store.setItem(HOURS_KEY, `${quietHours.from}-${quietHours.to}`)
          onChange({ quietHours: event.currentTarget.checked ? hoursBefore() : null, timeZone: own })
        }}
      />
      {quietHours && (
        <>
          <div className={styles.times}>
            <SelectField
              label={texts.from}
              value={String(quietHours.from)}
              choices={choicesBut(quietHours.to)}
              onChange={(from) => onChange({ quietFrom: Number(from) })}
            />
            <SelectField
              label={texts.to}
              value={String(quietHours.to)}
              choices={choicesBut(quietHours.from)}
              onChange={(to) => onChange({ quietTo: Number(to) })}
            />
          </div>
          <p className={styles.about}>{texts.zone(timeZone ?? own)}</p>
        </>
      )}
    </div>
  )
}
