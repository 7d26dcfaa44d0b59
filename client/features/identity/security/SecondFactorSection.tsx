import { IconDeviceMobileCode, IconFingerprint, IconKey } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useRef, useState } from 'react'
import type { Output } from '../../../../contract/route.ts'
import type { twoFactorRoutes } from '../../../../contract/routes/identity/two-factor.ts'
import { call, errorMessage } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { Section } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { secondFactorChanges, secondFactorQuery } from '../api.ts'
import { passkeysSupported } from '../parts/reauthentication/passkeys.ts'
import { useReauthentication } from '../parts/reauthentication/ReauthenticationDialog.tsx'
import { AppSetup } from './AppSetup.tsx'
import { PasskeySetup } from './PasskeySetup.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import styles from './security.module.css'
import { twoFactorTexts } from './texts.ts'

/** Authenticator app, passkeys and recovery codes: what else than the password logs in. */
export function SecondFactorSection() {
  const factors = useQuery(secondFactorQuery)
  const inSection = (inside: ReactNode) => <Section title={twoFactorTexts.title}>{inside}</Section>
  return (
    <Fetched
      query={factors}
      waiting={inSection(<SkeletonLines />)}
      failed={twoFactorTexts.loadFailed}
      around={inSection}
    >
      {(data) => <Shown {...data} />}
    </Fetched>
  )
}

type Factors = Output<typeof twoFactorRoutes.secondFactor>

function Shown({ app: appOn, passkeys, recoveryCodesLeft, required }: Factors) {
  const reauthenticate = useReauthentication()
  const section = useRef<HTMLElement>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const [addingPasskey, setAddingPasskey] = useState(false)
  const [removing, setRemoving] = useState<{ name: string; remove: () => Promise<unknown> } | null>(null)

  const added = (recoveryCodes: string[] | null) => {
    app.reset()
    setAddingPasskey(false)
    setCodes(recoveryCodes)
  }
  const seen = () => {
    setCodes(null)
    // The button that led here may be gone: what it set up is the first to be met from here.
    section.current?.focus()
  }
  const app = useMutation({ mutationFn: () => reauthenticate(() => call(routes.startTotp)) })
  const passkey = useMutation({
    // The challenge is thrown away: what counts is that a factor was asked for before the dialog opens.
    mutationFn: () => reauthenticate(() => call(routes.startPasskey)),
    onSuccess: () => setAddingPasskey(true),
  })
  const renew = useMutation({
    mutationFn: () => reauthenticate(() => call(routes.newRecoveryCodes)),
    onSuccess: ({ recoveryCodes }) => added(recoveryCodes),
    meta: secondFactorChanges,
  })
  const removal = useMutation({
    mutationFn: async () => removing?.remove(),
    meta: secondFactorChanges,
  })
  const failure = app.error ?? passkey.error ?? renew.error

  const isOn = appOn !== null || passkeys.length > 0

  return (
    <Section
      ref={section}
      title={twoFactorTexts.title}
      action={
        isOn ? (
          <Tag tone="good">{twoFactorTexts.on}</Tag>
        ) : (
          <Tag tone={required ? 'bad' : 'neutral'}>{twoFactorTexts.off}</Tag>
        )
      }
    >
      <Card flush>
        <ul className={styles.rows}>
          <Row
            Icon={IconDeviceMobileCode}
            name={twoFactorTexts.app}
            note={appOn ? twoFactorTexts.appSince(formatDateTime(appOn.addedAt)) : twoFactorTexts.appHint}
          >
            {appOn ? (
              <Button
                variant="subtle"
                color="red"
                aria-label={twoFactorTexts.removeApp}
                onClick={() =>
                  setRemoving({
                    name: twoFactorTexts.theApp,
                    remove: () => reauthenticate(() => call(routes.removeTotp)),
                  })
                }
              >
                {twoFactorTexts.remove}
              </Button>
            ) : (
              <Button
                variant={isOn ? 'default' : 'filled'}
                loading={app.isPending}
                onClick={() => app.mutate()}
              >
                {twoFactorTexts.setUpApp}
              </Button>
            )}
          </Row>
          {passkeys.map(({ _id, name, addedAt, lastUsedAt }) => (
            <Row
              key={_id}
              Icon={IconFingerprint}
              name={name}
              note={twoFactorTexts.passkeyNote(
                formatDateTime(addedAt),
                lastUsedAt && formatDateTime(lastUsedAt),
              )}
            >
              <Button
                variant="subtle"
                color="red"
                aria-label={twoFactorTexts.removePasskey(name)}
                onClick={() =>
                  setRemoving({
                    name: twoFactorTexts.thePasskey(name),
                    remove: () =>
                      reauthenticate(() => call(routes.removePasskey, { body: { passkeyId: _id } })),
                  })
                }
              >
                {twoFactorTexts.remove}
              </Button>
            </Row>
          ))}
          <Row
            Icon={IconFingerprint}
            name={passkeys.length ? twoFactorTexts.anotherPasskey : twoFactorTexts.passkey}
            note={passkeysSupported() ? twoFactorTexts.passkeyHint : twoFactorTexts.noPasskeys}
          >
            {passkeysSupported() && (
              <Button variant="default" loading={passkey.isPending} onClick={() => passkey.mutate()}>
                {twoFactorTexts.addPasskey}
              </Button>
            )}
          </Row>
          {isOn && (
            <Row
              Icon={IconKey}
              name={twoFactorTexts.recoveryCodes}
              note={twoFactorTexts.codesLeft(recoveryCodesLeft)}
            >
              <Button variant="default" loading={renew.isPending} onClick={() => renew.mutate()}>
                {twoFactorTexts.newCodes}
              </Button>
            </Row>
          )}
        </ul>
      </Card>
      <FormError>{failure ? errorMessage(failure) : null}</FormError>
      {app.data && <AppSetup setup={app.data} onClose={() => app.reset()} onDone={added} />}
      {addingPasskey && <PasskeySetup onClose={() => setAddingPasskey(false)} onDone={added} />}
      {codes && <RecoveryCodes codes={codes} onDone={seen} />}
      <ConfirmDialog
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title={twoFactorTexts.removeTitle(removing?.name ?? '')}
        confirmLabel={twoFactorTexts.remove}
        destructive
        onConfirm={() => removal.mutateAsync()}
      >
        {twoFactorTexts.removeHint}
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
