import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useState } from 'react'
import { ApiError, call, sentenceOf } from '../../../lib/api.ts'
import { routes } from '../../../lib/routes.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import styles from '../identity.module.css'
import { type Proof, ProofForm } from './ProofForm.tsx'

type Prove = <T>(action: () => Promise<T>) => Promise<T>
const ProofContext = createContext<Prove | null>(null)

type Waiting = { proven: () => void; canceled: (error: Error) => void }

/** Does a sensitive action; asks for a fresh proof first when the server wants one (ASVS 5.0, 7.5.1). */
export function useProof(): Prove {
  const prove = use(ProofContext)
  if (!prove) throw new Error('useProof needs a ProofProvider above it.')
  return prove
}

/** Holds the dialog in which people confirm that it's them. */
export function ProofProvider({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<Waiting | null>(null)
  const prove = useCallback<Prove>(async (action) => {
    try {
      return await action()
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'proof_required')) throw error
    }
    await new Promise<void>((proven, canceled) => setWaiting({ proven, canceled }))
    return action()
  }, [])
  const close = () => {
    waiting?.canceled(
      new ApiError(0, { error: 'Nothing was changed, because you did not confirm.', code: 'proof_required' }),
    )
    setWaiting(null)
  }
  return (
    <ProofContext value={prove}>
      {children}
      <Dialog opened={waiting !== null} onClose={close} title="Confirm that it’s you">
        {waiting && (
          <Asking
            onProven={() => {
              setWaiting(null)
              waiting.proven()
            }}
          />
        )}
      </Dialog>
    </ProofContext>
  )
}

function Asking({ onProven }: { onProven: () => void }) {
  const challenge = useQuery({
    queryKey: ['proof-challenge'],
    queryFn: () => call(routes.startProof),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (challenge.error) return <FormError>{sentenceOf(challenge.error)}</FormError>
  if (!challenge.data) return <SkeletonLines />
  const { challengeId } = challenge.data
  const send = async (proof: Proof) => {
    await call(routes.prove, { body: { challengeId, ...proof } })
    onProven()
  }
  return (
    <div className={styles.proof}>
      <p className={styles.quiet}>Before something important changes. It counts for 10 minutes.</p>
      <ProofForm challenge={challenge.data} submitLabel="Confirm" onProof={send} />
    </div>
  )
}
