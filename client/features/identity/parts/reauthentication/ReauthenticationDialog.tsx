import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useState, useSyncExternalStore } from 'react'
import { call, errorMessage } from '../../../../lib/api.ts'
import { roots } from '../../../../lib/query.ts'
import { routes } from '../../../../lib/routes.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import { SkeletonLines } from '../../../../ui/Skeleton.tsx'
import styles from '../../identity.module.css'
import { type AuthenticationFactor, ReauthenticationForm } from './ReauthenticationForm.tsx'
import { reauthenticationTexts } from './texts.ts'
import { createWaiting } from './waiting.ts'

/** Does an action, after a fresh re-authentication when the server wants one. */
export type Reauthenticate = <T>(action: () => Promise<T>) => Promise<T>
const ReauthenticationContext = createContext<Reauthenticate | null>(null)

/** Does a sensitive action; asks for a fresh re-authentication first when the server wants one (ASVS 5.0, 7.5.1). */
export function useReauthentication(): Reauthenticate {
  const reauthenticate = use(ReauthenticationContext)
  if (!reauthenticate) throw new Error('useReauthentication needs a ReauthenticationProvider above it.')
  return reauthenticate
}

/** Holds the dialog in which people confirm that it's them. */
export function ReauthenticationProvider({ children }: { children: ReactNode }) {
  const [waiting] = useState(createWaiting)
  const asking = useSyncExternalStore(waiting.subscribe, waiting.read)
  return (
    <ReauthenticationContext value={waiting.run}>
      {children}
      <Dialog opened={asking} onClose={waiting.canceled} title={reauthenticationTexts.title}>
        {asking && <Asking onConfirmed={waiting.confirmed} />}
      </Dialog>
    </ReauthenticationContext>
  )
}

function Asking({ onConfirmed }: { onConfirmed: () => void }) {
  const challenge = useQuery({
    queryKey: [...roots.identity, 'reauthentication-challenge'],
    queryFn: () => call(routes.startReauthentication),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (challenge.error) return <FormError>{errorMessage(challenge.error)}</FormError>
  if (!challenge.data) return <SkeletonLines />
  const { challengeId } = challenge.data
  const send = async (factor: AuthenticationFactor) => {
    await call(routes.reauthenticate, { body: { challengeId, ...factor } })
    onConfirmed()
  }
  return (
    <div className={styles.reauthentication}>
      <p className={styles.quiet}>{reauthenticationTexts.about}</p>
      <ReauthenticationForm
        challenge={challenge.data}
        submitLabel={reauthenticationTexts.submit}
        onFactor={send}
      />
    </div>
  )
}
