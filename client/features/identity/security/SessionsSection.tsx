import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { useSession } from '../../../lib/session.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { Section } from '../../../ui/Page.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import styles from './security.module.css'
import { sessionsTexts } from './texts.ts'

export const sessionsKey = [...roots.identity, 'sessions'] as const

/** Where the account is logged in, and how to end it there. */
export function SessionsSection() {
  // After a login over the page this browser has another session, and the list of the one that ended is of the past.
  const { token } = useSession()
  const sessions = useQuery({
    queryKey: [...sessionsKey, token],
    queryFn: ({ signal }) => call(routes.sessions, {}, { signal }),
  })
  const revoke = useMutation({
    mutationFn: (sessionId: string) =>
      call(routes.revokeSession, { body: { sessionId } }).catch((error: unknown) => {
        // It ended elsewhere, which is what was wanted.
        if (!(error instanceof ApiError && error.code === 'not_found')) throw error
      }),
    meta: { invalidates: [sessionsKey] },
  })
  const revokeOthers = useMutation({
    mutationFn: () => call(routes.revokeOtherSessions),
    meta: { invalidates: [sessionsKey] },
  })
  const failure = revoke.error ?? revokeOthers.error

  return (
    <Section
      title={sessionsTexts.title}
      action={
        sessions.data &&
        sessions.data.items.length > 1 && (
          <Button variant="default" onClick={() => revokeOthers.mutate()} loading={revokeOthers.isPending}>
            {sessionsTexts.logOutOthers}
          </Button>
        )
      }
    >
      <Fetched query={sessions} failed={sessionsTexts.loadFailed}>
        {({ items }) => (
          <Card flush>
            <ul className={styles.rows}>
              {items.map(({ _id, device, createdAt, lastSeenAt, current }) => (
                <li key={_id} className={styles.row}>
                  <span className={styles.icon}>
                    {/iPhone|Android/.test(device) ? (
                      <IconDeviceMobile size={22} stroke={1.5} aria-hidden />
                    ) : (
                      <IconDeviceDesktop size={22} stroke={1.5} aria-hidden />
                    )}
                  </span>
                  <div className={styles.what}>
                    <p className={styles.name}>
                      {device} {current && <Tag tone="good">{sessionsTexts.thisOne}</Tag>}
                    </p>
                    <p className={styles.note}>
                      {current ? sessionsTexts.active : sessionsTexts.seen(formatDateTime(lastSeenAt))}
                    </p>
                    <p className={styles.note}>{sessionsTexts.since(formatDateTime(createdAt))}</p>
                  </div>
                  {!current && (
                    <Button
                      variant="subtle"
                      aria-label={sessionsTexts.logOutDevice(device)}
                      loading={revoke.isPending && revoke.variables === _id}
                      onClick={() => revoke.mutate(_id)}
                    >
                      {sessionsTexts.logOut}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Fetched>
      <FormError>{failure ? errorMessage(failure) : null}</FormError>
    </Section>
  )
}
