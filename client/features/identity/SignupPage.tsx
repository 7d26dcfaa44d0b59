import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../lib/api.ts'
import { useBrandName } from '../../lib/config.ts'
import { paths } from '../../lib/paths.ts'
import { readReferral } from '../../lib/referral.ts'
import { ChoiceField } from '../../ui/ChoiceField.tsx'
import { PasswordField, TextField } from '../../ui/Field.tsx'
import { FieldPair, Form } from '../../ui/Form.tsx'
import { FormError } from '../../ui/FormError.tsx'
import { Page } from '../../ui/Page.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { referrerQuery, useSignup } from './api.ts'
import styles from './identity.module.css'
import {
  cleanForumUsername,
  EMPTY_SIGNUP,
  mismatched,
  type SignupErrors,
  type SignupForm,
  signupErrors,
} from './signup-form.ts'

const CREATOR_CHOICES = [
  { value: 'true', label: 'Yes', description: 'I publish and sell.' },
  { value: 'false', label: 'No', description: 'I follow and buy.' },
] as const

/** Make an account as a creator or a fan (docs/product.md, Pages and Texts). */
export function Component() {
  const brand = useBrandName()
  const [form, setForm] = useState(EMPTY_SIGNUP)
  const [errors, setErrors] = useState<SignupErrors>({})
  const [referral] = useState(() => readReferral())
  const referrer = useQuery(referrerQuery(referral.referralCode ?? referral.sharedReferralCode))
  const signup = useSignup()

  const set =
    <Name extends keyof SignupForm>(name: Name) =>
    (value: SignupForm[Name]) => {
      setForm((current) => ({ ...current, [name]: value }))
      setErrors(({ [name]: _, ...others }) => others)
    }
  const noMatch = mismatched(form)
  const field = <Name extends keyof SignupForm>(name: Name) => ({
    value: form[name],
    onChange: set(name),
    error: errors[name],
  })

  const submit = () => {
    const found = signupErrors(form)
    setErrors(found)
    const { confirmation: _, isCreator, ...body } = form
    if (Object.keys(found).length > 0 || isCreator === null) return
    signup.mutate(
      {
        ...body,
        isCreator,
        ...(referral.referralCode ? { referralCode: referral.referralCode } : {}),
        ...(referral.sharedReferralCode ? { sharedReferralCode: referral.sharedReferralCode } : {}),
      },
      { onError: (error) => error instanceof ApiError && setErrors(error.details) },
    )
  }

  return (
    <Page title="Sign up" lead="An account for buying, following and selling. It costs nothing." width="form">
      <Form onSubmit={submit}>
        {referrer.data && (
          <TextField
            label="Referred By:"
            value={referrer.data.username}
            onChange={() => undefined}
            readOnly
          />
        )}
        <FieldPair>
          <TextField label="First name" autoComplete="given-name" required {...field('firstName')} />
          <TextField label="Last name (optional)" autoComplete="family-name" {...field('lastName')} />
        </FieldPair>
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          required
          description="We send a link there to confirm it."
          {...field('email')}
        />
        <TextField
          label="Forum username"
          prefix="/u/"
          required
          {...field('redditUsername')}
          onChange={(typed) => set('redditUsername')(cleanForumUsername(typed))}
        />
        <TextField
          label="Username"
          autoComplete="username"
          required
          description="This is what everybody sees."
          {...field('username')}
        />
        <FieldPair>
          <PasswordField
            label="Password"
            autoComplete="new-password"
            required
            {...field('password')}
            onBlur={() => form.password !== '' && setErrors((now) => ({ ...now, ...onlyPassword(form) }))}
          />
          <PasswordField
            label="Password confirmation"
            autoComplete="new-password"
            required
            {...field('confirmation')}
            error={noMatch ? 'Password must match confirmation' : errors.confirmation}
          />
        </FieldPair>
        <ChoiceField label="Are you a content creator?" choices={CREATOR_CHOICES} {...field('isCreator')} />
        <FormError>{signup.error ? errorMessage(signup.error) : null}</FormError>
        <Button type="submit" size="lg" loading={signup.isPending} disabled={noMatch} fullWidth>
          Sign Up
        </Button>
      </Form>
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

function onlyPassword(form: SignupForm): SignupErrors {
  const { password } = signupErrors(form)
  return password ? { password } : {}
}
