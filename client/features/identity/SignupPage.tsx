import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountRoutes, cleanForumUsername } from '../../../contract/routes/identity/account.ts'
import { useBrandName } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'
import { forgetReferral, readReferral } from '../../lib/referral.ts'
import { useSession } from '../../lib/session.tsx'
import { ChoiceField } from '../../ui/ChoiceField.tsx'
import { ContractForm, useContractForm } from '../../ui/ContractForm.tsx'
import { PasswordField, TextField } from '../../ui/Field.tsx'
import { FieldPair } from '../../ui/Form.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { Page } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { referrerQuery } from './api.ts'
import styles from './identity.module.css'

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
  const form = useContractForm(accountRoutes.signup, {
    initial: EMPTY,
    body: ({ confirmation: _, ...account }) => ({
      ...account,
      ...(referralCode ? { referralCode } : {}),
      ...(sharedReferralCode ? { sharedReferralCode } : {}),
    }),
    check: ({ password, confirmation }) => (password === confirmation ? {} : { confirmation: MISMATCH }),
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
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          required
          description="We send a link there to confirm it."
          {...form.field('email')}
        />
        <TextField
          label="Forum username"
          prefix="/u/"
          required
          {...form.field('redditUsername')}
          onChange={(typed) => form.set('redditUsername', cleanForumUsername(typed))}
        />
        <TextField
          label="Username"
          autoComplete="username"
          required
          description="This is what everybody sees."
          {...form.field('username')}
        />
        <FieldPair>
          <PasswordField label="Password" autoComplete="new-password" required {...form.field('password')} />
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
