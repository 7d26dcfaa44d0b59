import { Button } from '@mantine/core'
import { IconMailFast } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { routes } from '../../../lib/routes.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import styles from '../identity.module.css'

/** Ask for a link that lets you choose a new password (docs/product.md, Pages and Texts). */
export function Component() {
  const [email, setEmail] = useState('')
  const [missing, setMissing] = useState<string>()
  const reset = useMutation({ mutationFn: () => call(routes.requestReset, { body: { email } }) })

  const submit = () => {
    const empty = email.trim() === '' ? 'Enter your email.' : undefined
    setMissing(empty)
    if (!empty) reset.mutate()
  }

  if (reset.isSuccess) {
    return (
      <Page title="Reset your password" width="form">
        <EmptyState
          Icon={IconMailFast}
          title="Look into your mailbox"
          action={<LinkButton to={paths.login}>Back to log in</LinkButton>}
        >
          <output>You should receive an email. Click the link inside to reset your password.</output> It works
          for one hour. Nothing there? Look into the spam folder, or{' '}
          <button type="button" className={styles.inline} onClick={() => reset.reset()}>
            try another address
          </button>
          .
        </EmptyState>
      </Page>
    )
  }
  const details = reset.error instanceof ApiError ? reset.error.details : {}
  return (
    <Page
      title="Reset your password"
      lead="Tell us your email, and we send a link with which you choose a new one."
      width="form"
    >
      <Form onSubmit={submit}>
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={setEmail}
          error={missing ?? details.email}
        />
        <FormError>{reset.error && !details.email ? failure(reset.error) : null}</FormError>
        <Button type="submit" size="lg" fullWidth loading={reset.isPending}>
          Reset
        </Button>
      </Form>
      <div className={styles.after}>
        <p>
          You know it after all? <TextLink to={paths.login}>Log in</TextLink>
        </p>
      </div>
    </Page>
  )
}

/** The catalogue's sentence, then what stopped it. */
function failure(error: unknown): string {
  return `There was a problem logging in. ${errorMessage(error)}`
}
