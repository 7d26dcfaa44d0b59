import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { toast } from '../../../ui/toast.ts'
import { type NotificationSettings, notificationSettingsQuery } from '../api.ts'
import { pushSupport, turnOffPush, turnOnPush } from './push.ts'
import styles from './settings.module.css'
import { settingsTexts as texts } from './texts.ts'

const invalidates = [notificationSettingsQuery.queryKey]

/** Push in this browser: on or off, or why it can't be. */
export function PushSection({
  push,
  showMessageText,
}: Pick<NotificationSettings, 'push' | 'showMessageText'>) {
  const person = useCurrentUser()
  const [support, setSupport] = useState(pushSupport)
  const turnOn = useMutation({
    mutationFn: (publicKey: string) => turnOnPush(publicKey, person._id),
    onSuccess: (on) => on && toast.success(texts.turnedOn),
    onError: (error) => toast.failure(error instanceof ApiError ? errorMessage(error) : texts.failed),
    onSettled: () => setSupport(pushSupport()),
    meta: { invalidates },
  })
  const turnOff = useMutation({
    mutationFn: turnOffPush,
    onSuccess: () => toast.success(texts.turnedOff),
    onError: (error) => toast.failure(errorMessage(error)),
    meta: { invalidates },
  })
  const removeOthers = useMutation({
    mutationFn: () => call(routes.removePush, { body: { which: 'others' } }),
    onError: (error) => toast.failure(errorMessage(error)),
    meta: { invalidates },
  })
  const { publicKey } = push
  return (
    <div className={styles.part}>
      {push.here ? (
        <>
          <p className={styles.about}>{texts.isOn}</p>
          <Button variant="default" loading={turnOff.isPending} onClick={() => turnOff.mutate()}>
            {texts.turnOff}
          </Button>
        </>
      ) : publicKey === null ? (
        <p className={styles.about}>{texts.notOffered}</p>
      ) : support === 'yes' ? (
        <>
          <p className={styles.about}>{texts.why(showMessageText)}</p>
          <Button loading={turnOn.isPending} onClick={() => turnOn.mutate(publicKey)}>
            {texts.turnOn}
          </Button>
        </>
      ) : (
        <p className={styles.about}>
          {{ no: texts.unsupported, 'install-first': texts.installFirst, denied: texts.denied }[support]}
        </p>
      )}
      {push.others > 0 && (
        <>
          <p className={styles.about}>{texts.others(push.others)}</p>
          <Button variant="default" loading={removeOthers.isPending} onClick={() => removeOthers.mutate()}>
            {texts.removeOthers}
          </Button>
        </>
      )}
    </div>
  )
}
