import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call, errorMessage } from '../../../lib/api.ts'
import { useConfig } from '../../../lib/config.ts'
import { invalidate } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { meKey, type Person } from '../../../lib/session.tsx'
import { AnchorButton, Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { unverifiedTexts } from '../texts.ts'
import styles from './ConfirmEmail.module.css'

const ASK_AGAIN_MS = 3000

/** Where the link was sent, the way there while mail is the sandbox’s, and a button for another; the page updates once the email is verified in any tab. */
export function ConfirmEmail({ person }: { person: Person }) {
  const client = useQueryClient()
  const resend = useResendConfirmation(person)
  const mailbox = useConfig()?.sandbox?.mail
  const address = person.pendingEmail ?? person.email
  useEffect(() => {
    const timer = setInterval(() => document.hidden || invalidate(client, [meKey]), ASK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [client])
  return (
    <div className={styles.notice}>
      <p>
        {unverifiedTexts.sent} <span className={styles.address}>{address}</span>. {unverifiedTexts.open}
      </p>
      {mailbox && (
        <AnchorButton
          href={`${mailbox}?to=${encodeURIComponent(address)}`}
          target="_blank"
          rel="noreferrer"
          data-autofocus
        >
          {unverifiedTexts.mailbox}
        </AnchorButton>
      )}
      <output>
        {resend.isSuccess ? (
          <strong>{unverifiedTexts.resent}</strong>
        ) : (
          <Button
            variant="default"
            onClick={() => resend.mutate()}
            loading={resend.isPending}
            {...(mailbox ? {} : { 'data-autofocus': true })}
          >
            {unverifiedTexts.resend}
          </Button>
        )}
      </output>
      <FormError>{resend.error ? errorMessage(resend.error) : null}</FormError>
    </div>
  )
}

/** Mails a new confirmation link to the person's own address. */
function useResendConfirmation(person: Person) {
  return useMutation({
    mutationFn: () =>
      call(routes.resendEmailConfirmation, {
        body: { email: person.pendingEmail ?? person.email, userId: person._id },
      }),
  })
}
