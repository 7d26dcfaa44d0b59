import { IconDeviceMobileCode, IconFingerprint, IconKey } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useState } from 'react'
import { call, errorMessage } from '../../../lib/api.ts'
import { invalidate, roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { meKey } from '../../../lib/session.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { passkeysSupported } from '../reauthentication/passkeys.ts'
import { useReauthentication } from '../reauthentication/ReauthenticationDialog.tsx'
import { AppSetup } from './AppSetup.tsx'
import { PasskeySetup } from './PasskeySetup.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import styles from './security.module.css'

const KEY = [...roots.identity, 'second-factor'] as const

/** Authenticator app, passkeys and recovery codes: what else than the password logs in. */
export function SecondFactorSection() {
  const client = useQueryClient()
  const prove = useReauthentication()
  const factors = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call(routes.secondFactor, {}, { signal }),
  })
  const [codes, setCodes] = useState<string[] | null>(null)
  const [addingPasskey, setAddingPasskey] = useState(false)
  const [removing, setRemoving] = useState<{ name: string; remove: () => Promise<unknown> } | null>(null)

  const refresh = () => invalidate(client, [KEY, meKey])
  const added = (recoveryCodes: string[] | null) => {
    app.reset()
    setAddingPasskey(false)
    setCodes(recoveryCodes)
    refresh()
  }
  const app = useMutation({ mutationFn: () => prove(() => call(routes.startTotp)) })
  const passkey = useMutation({
    // The challenge is thrown away: what counts is that a factor was asked for before the dialog opens.
    mutationFn: () => prove(() => call(routes.startPasskey)),
    onSuccess: () => setAddingPasskey(true),
  })
  const renew = useMutation({
    mutationFn: () => prove(() => call(routes.newRecoveryCodes)),
    onSuccess: ({ recoveryCodes }) => added(recoveryCodes),
  })
  const failure = app.error ?? passkey.error ?? renew.error

  if (factors.error) {
    return (
      <Section title="Second factor">
        <ErrorState
          title="Your second factors could not be loaded"
          error={factors.error}
          onRetry={() => factors.refetch()}
        />
      </Section>
    )
  }
  if (!factors.data) {
    return (
      <Section title="Second factor">
        <SkeletonLines />
      </Section>
    )
  }
  const { app: appOn, passkeys, recoveryCodesLeft, required } = factors.data
  const isOn = appOn !== null || passkeys.length > 0

  return (
    <Section
      title="Second factor"
      action={isOn ? <Tag tone="good">On</Tag> : <Tag tone={required ? 'bad' : 'neutral'}>Off</Tag>}
    >
      <Card flush>
        <ul className={styles.rows}>
          <Row
            Icon={IconDeviceMobileCode}
            name="Authenticator app"
            note={
              appOn
                ? `Asked for since ${formatDateTime(appOn.addedAt)}`
                : 'An app on your phone shows a code that changes every 30 seconds.'
            }
          >
            {appOn ? (
              <Button
                variant="subtle"
                color="red"
                aria-label="Remove the authenticator app"
                onClick={() =>
                  setRemoving({
                    name: 'the authenticator app',
                    remove: () => prove(() => call(routes.removeTotp)),
                  })
                }
              >
                Remove
              </Button>
            ) : (
              <Button
                variant={isOn ? 'default' : 'filled'}
                loading={app.isPending}
                onClick={() => app.mutate()}
              >
                Set up the app
              </Button>
            )}
          </Row>
          {passkeys.map(({ _id, name, addedAt, lastUsedAt }) => (
            <Row
              key={_id}
              Icon={IconFingerprint}
              name={name}
              note={`Passkey, added ${formatDateTime(addedAt)}${lastUsedAt ? `, last used ${formatDateTime(lastUsedAt)}` : ''}`}
            >
              <Button
                variant="subtle"
                color="red"
                aria-label={`Remove the passkey ${name}`}
                onClick={() =>
                  setRemoving({
                    name: `the passkey “${name}”`,
                    remove: () => prove(() => call(routes.removePasskey, { body: { passkeyId: _id } })),
                  })
                }
              >
                Remove
              </Button>
            </Row>
          ))}
          <Row
            Icon={IconFingerprint}
            name={passkeys.length ? 'Another passkey' : 'Passkey'}
            note={
              passkeysSupported()
                ? 'Fingerprint, face, PIN or a security key. It also logs you in without a password.'
                : 'This browser knows no passkeys.'
            }
          >
            {passkeysSupported() && (
              <Button variant="default" loading={passkey.isPending} onClick={() => passkey.mutate()}>
                Add a passkey
              </Button>
            )}
          </Row>
          {isOn && (
            <Row
              Icon={IconKey}
              name="Recovery codes"
              note={`${recoveryCodesLeft} of 10 left, for the day on which nothing else is at hand.`}
            >
              <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
                New codes
              </Button>
            </Row>
          )}
        </ul>
      </Card>
      <FormError>{failure ? errorMessage(failure) : null}</FormError>
      {app.data && <AppSetup setup={app.data} onClose={() => app.reset()} onDone={added} />}
      {addingPasskey && <PasskeySetup onClose={() => setAddingPasskey(false)} onDone={added} />}
      {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      <ConfirmDialog
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Remove ${removing?.name ?? ''}?`}
        confirmLabel="Remove"
        destructive
        onConfirm={async () => {
          await removing?.remove()
          await refresh()
        }}
      >
        It is not asked for any more when you log in. You can set it up again at any time.
      </ConfirmDialog>
    </Section>
  )
}

function Row({
  Icon,
  name,
  note,
  children,
}: {
  Icon: ComponentType<{ size?: number; stroke?: number }>
  name: string
  note: string
  children: ReactNode
}) {
  return (
    <li className={styles.row}>
      <span className={styles.icon} aria-hidden>
        <Icon size={22} stroke={1.5} />
      </span>
      <div className={styles.what}>
        <p className={styles.name}>{name}</p>
        <p className={styles.note}>{note}</p>
      </div>
      {children}
    </li>
  )
}
