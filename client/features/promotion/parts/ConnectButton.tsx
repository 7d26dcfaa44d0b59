import { IconPlugConnected } from '@tabler/icons-react'
import { useEffect } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { useConnect } from './api.ts'
import styles from './parts.module.css'
import { connectTexts } from './texts.ts'
import { useForum } from './use-forum.ts'

type ConnectButtonProps = { label: string; name?: string; variant?: 'filled' | 'default' }

/** Leads to the forum’s page that asks for permission, or says why it can’t; a site without a forum has no button. */
export function ConnectButton({ label, name, variant = 'filled' }: ConnectButtonProps) {
  const forum = useForum()
  const connect = useConnect()
  const { reset } = connect
  useEffect(() => {
    // Somebody who comes back may find the page as they left it.
    const onReturn = (event: PageTransitionEvent) => event.persisted && reset()
    addEventListener('pageshow', onReturn)
    return () => removeEventListener('pageshow', onReturn)
  }, [reset])
  if (!forum.available) return <p className={styles.quiet}>{connectTexts.unavailable(forum.name)}</p>
  return (
    <div className={styles.connect}>
      <Button
        variant={variant}
        leftSection={<IconPlugConnected size={18} stroke={1.75} aria-hidden />}
        // Stays so until the browser leaves the page.
        loading={connect.isPending || connect.isSuccess}
        {...(name ? { 'aria-label': name } : {})}
        onClick={() => connect.mutate()}
      >
        {label}
      </Button>
      <FormError>{connect.error && errorMessage(connect.error)}</FormError>
    </div>
  )
}
