import { NativeSelect, Switch } from '@mantine/core'
import { errorMessage } from '../../../lib/api.ts'
import { toast } from '../../../ui/toast.ts'
import { type NotificationSettings, useSetTopic } from '../api.ts'
import styles from './settings.module.css'
import { settingsTexts as texts, topicTexts } from './texts.ts'

type Topic = NotificationSettings['topics'][number]

const FREQUENCIES = ['now', 'daily', 'weekly', 'off'] as const

/** Topics by channels; what must reach the person is fixed. */
export function TopicTable({ topics }: { topics: Topic[] }) {
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{texts.topic}</th>
          <th scope="col">{texts.email}</th>
          <th scope="col">{texts.push}</th>
        </tr>
      </thead>
      <tbody>
        {topics.map((topic) => (
          <TopicRow key={topic.topic} topic={topic} />
        ))}
      </tbody>
    </table>
  )
}

function TopicRow({ topic: { topic, email, push, required } }: { topic: Topic }) {
  const set = useSetTopic()
  const { label, about } = topicTexts[topic]
  // Each is told of, also where another one follows before its answer.
  const choose = (choice: Parameters<typeof set.mutate>[0]) =>
    void set
      .mutateAsync(choice)
      .catch((error: unknown) => toast.failure(`${texts.saveFailed} ${errorMessage(error)}`))
  return (
    <tr>
      <th scope="row">
        {label}
        <span className={styles.small}>{about}</span>
      </th>
      <td>
        {required ? (
          <span className={styles.fixed}>{texts.always}</span>
        ) : (
          <NativeSelect
            className={styles.frequency ?? ''}
            size="md"
            aria-label={texts.emailOf(label.toLowerCase())}
            value={email}
            onChange={(event) => choose({ topic, email: event.currentTarget.value as Topic['email'] })}
            data={FREQUENCIES.map((frequency) => ({ value: frequency, label: texts[frequency] }))}
          />
        )}
      </td>
      <td>
        {topic === 'security' ? (
          <span className={styles.fixed}>{texts.always}</span>
        ) : (
          <Switch
            size="md"
            classNames={{ track: styles.track ?? '' }}
            aria-label={texts.pushOf(label.toLowerCase())}
            checked={push}
            onChange={(event) => choose({ topic, push: event.currentTarget.checked })}
          />
        )}
      </td>
    </tr>
  )
}
