import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountRoutes } from '../../../contract/routes/identity/account.ts'
import { cleanForumUsername, USERNAME } from '../../../contract/usernames.ts'
import { useBrandName } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'
import { forgetReferral, readReferral } from '../../lib/referral.ts'
import { useSession } from '../../lib/session.tsx'
import { ChoiceField } from '../../ui/ChoiceField.tsx'
import { Button } from '../../ui/core/Button.tsx'
import { PasswordField, TextField } from '../../ui/Field.tsx'
import { FieldPair } from '../../ui/Form.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../ui/forms/ContractForm.tsx'
import { Page } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { WishCard } from '../../ui/WishCard.tsx'
import { referrerQuery, usernameFreeQuery } from './api.ts'
import styles from './identity.module.css'
import { rememberTyped, typedEmail } from './typed-email.ts'

const EMPTY = {
  firstName: '',
  lastName: '',
  email: '',
  redditUsername: '',
  username: '',
  password: '',
  confirmation: '',
  isCreator: null as 'true' | 'false' | null,
}

const MISMATCH = 'Password must match confirmation'
/** How long the typing rests before it is asked whether a username is free. */
const DEBOUNCE_MS = 300

const CREATOR_CHOICES = [
  { value: 'true', label: 'Yes', description: 'I publish and sell.' },
  { value: 'false', label: 'No', description: 'I follow and buy.' },
] as const

/** Make an account as a creator or a fan (docs/product.md, Pages and Texts). */
export function Component() {
  const brand = useBrandName()
  const { login } = useSession()
  const [{ referralCode, sharedReferralCode }] = useState(() => readReferral())
  const referrer = useQuery(referrerQuery(referralCode ?? sharedReferralCode))
  const [username, setUsername] = useState('')
  const name = useUsername(username)
  const form = useContractForm(accountRoutes.signup, {
    initial: { ...EMPTY, email: typedEmail() },
    body: ({ confirmation: _, ...account }) => ({
      ...account,
      ...(referralCode ? { referralCode } : {}),
      ...(sharedReferralCode ? { sharedReferralCode } : {}),
    }),
    check: ({ password, confirmation }) => ({
      ...(password === confirmation ? {} : { confirmation: MISMATCH }),
      ...(name.error ? { username: name.error } : {}),
    }),
    onSuccess: ({ token }) => {
      forgetReferral()
      login(token)
    },
    lost: 'You are not signed up yet.',
  })
  const { password, confirmation } = form.values
  const noMatch = confirmation !== '' && password !== confirmation

  return (
    <Page title="Sign up" lead="An account for buying, following and selling. It costs nothing." width="form">
      <WishCard />
      <ContractForm form={form}>
        {referrer.data && (
          <TextField
            label="Referred By:"
            value={referrer.data.username}
            onChange={() => undefined}
            readOnly
          />
        )}
        <FieldPair>
          <TextField label="First name" autoComplete="given-name" required {...form.field('firstName')} />
          <TextField label="Last name (optional)" autoComplete="family-name" {...form.field('lastName')} />
        </FieldPair>
        <FieldPair>
          <TextField
            label="Username"
            autoComplete="nickname"
            required
            {...form.field('username')}
            onChange={(typed) => {
              setUsername(typed)
              form.set('username', typed)
            }}
            description={
              name.free ? `${name.free} is available.` : 'This is what everybody sees. 2 to 30 characters.'
            }
            error={form.field('username').error ?? name.error}
          />
          <TextField
            label="Forum username"
            prefix="/u/"
            autoComplete="off"
            required
            description="2 to 20 letters, digits, dashes or underscores."
            {...form.field('redditUsername')}
            onChange={(typed) => form.set('redditUsername', cleanForumUsername(typed))}
          />
        </FieldPair>
        {/* Right before the password: that is what password managers keep with it. */}
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          required
          description="You log in with it. We send a link there to confirm it."
          {...rememberTyped(form.field('email'))}
        />
        <FieldPair>
          <PasswordField
            label="Password"
            description="8 characters or more, and not a common one."
            autoComplete="new-password"
            required
            {...form.field('password')}
          />
          <PasswordField
            label="Password confirmation"
            autoComplete="new-password"
            required
            {...form.field('confirmation')}
            error={noMatch ? MISMATCH : form.field('confirmation').error}
          />
        </FieldPair>
        <ChoiceField
          label="Are you a content creator?"
          choices={CREATOR_CHOICES}
          {...form.field('isCreator')}
        />
        <FormError>{form.error}</FormError>
        <Button type="submit" size="lg" loading={form.pending} disabled={noMatch} fullWidth>
          Sign Up
        </Button>
      </ContractForm>
      <div className={styles.after}>
        <p className={styles.small}>
          By signing up you say that you are 18 or older and agree to the{' '}
          <TextLink to={paths.termsAndConditions}>Terms of Service</TextLink> and the{' '}
          <TextLink to={paths.privacy}>Privacy Policy</TextLink> of {brand}.
        </p>
        <p>
          Already have an account? <TextLink to={paths.login}>Log in</TextLink>
        </p>
      </div>
    </Page>
  )
}

/** Whether nobody has the username that is being typed; neither is said before it is known. */
function useUsername(typed: string): { free?: string; error?: string } {
  const [settled] = useDebouncedValue(typed.trim(), DEBOUNCE_MS)
  const asked = settled === typed.trim() && USERNAME.test(settled) ? settled : null
  const { data } = useQuery(usernameFreeQuery(asked))
  if (!asked || !data) return {}
  return data.free ? { free: asked } : { error: 'Somebody has this username already. Try another.' }
}
