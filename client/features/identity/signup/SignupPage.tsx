import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { accountRoutes } from '../../../../contract/routes/identity/account.ts'
import { cleanForumUsername, USERNAME } from '../../../../contract/usernames.ts'
import { ApiError, call } from '../../../lib/api.ts'
import { useBrandName, useConfig } from '../../../lib/config.ts'
import { paths } from '../../../lib/paths.ts'
import { forgetReferral, readReferral } from '../../../lib/referral.ts'
import { routes } from '../../../lib/routes.ts'
import { useSession } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FieldPair } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { PasswordField, TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { Page } from '../../../ui/Page.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { WishCard } from '../../../ui/WishCard.tsx'
import { referrerQuery, usernameFreeQuery } from '../api.ts'
import styles from '../identity.module.css'
import { unverifiedTexts } from '../texts.ts'
import { rememberTyped, useTypedEmail } from '../typed-email.ts'
import { forgetForm, keepForm } from './kept-form.ts'
import { startingValues } from './starting-values.ts'
import { signupTexts } from './texts.ts'

/** How long the typing rests before it is asked whether a username is free. */
const DEBOUNCE_MS = 300

type Account = z.input<typeof accountRoutes.signup.body>

const CREATOR_CHOICES = [
  { value: 'true', label: signupTexts.yes, description: signupTexts.yesHint },
  { value: 'false', label: signupTexts.no, description: signupTexts.noHint },
] as const

/** Make an account as a creator or a fan (docs/product.md, Pages and Texts). */
export function Component() {
  const brand = useBrandName()
  const { login } = useSession()
  const [{ referralCode, sharedReferralCode }] = useState(() => readReferral())
  const referrer = useQuery(referrerQuery(referralCode ?? sharedReferralCode))
  const typedEmail = useTypedEmail()
  const [{ initial, suggestion, offered }] = useState(() => startingValues(typedEmail))
  const [username, setUsername] = useState(initial.username)
  const [passwordShown, setPasswordShown] = useState(false)
  const forum = useConfig()?.forum.name ?? unverifiedTexts.forum
  const name = useUsername(username)
  const send = useSignup()
  const form = useContractForm(accountRoutes.signup, {
    initial,
    send,
    body: ({ confirmation: _, ...account }) => ({
      ...account,
      ...(referralCode ? { referralCode } : {}),
      ...(sharedReferralCode ? { sharedReferralCode } : {}),
    }),
    check: ({ password, confirmation }) => ({
      ...(password === confirmation ? {} : { confirmation: signupTexts.mismatch }),
      ...(name.error ? { username: name.error } : {}),
    }),
    onSuccess: ({ token }) => {
      forgetReferral()
      forgetForm()
      login(token)
    },
    // What was typed is kept, passwords excepted.
    lost: null,
  })
  useEffect(() => keepForm(form.values, offered), [form.values, offered])
  useFirstField(form.element)
  useReplaceable(form.element, suggestion)
  const { password, confirmation } = form.values
  const suggested = form.values.username === suggestion
  const usernameHint = suggested
    ? signupTexts.usernameSuggested
    : name.free
      ? signupTexts.usernameFree(name.free)
      : signupTexts.usernameHint
  const noMatch = confirmation !== '' && password !== confirmation

  return (
    <Page title={signupTexts.title} lead={signupTexts.lead} width="form">
      <WishCard />
      <ContractForm form={form}>
        {referrer.data && (
          <TextField
            label={signupTexts.referredBy}
            value={signupTexts.referrer(referrer.data)}
            onChange={() => undefined}
            readOnly
          />
        )}
        <FieldPair>
          <TextField
            label={signupTexts.firstName}
            autoComplete="given-name"
            required
            {...form.field('firstName')}
          />
          <TextField label={signupTexts.lastName} autoComplete="family-name" {...form.field('lastName')} />
        </FieldPair>
        <TextField
          label={signupTexts.username}
          autoComplete="nickname"
          required
          {...form.field('username')}
          onChange={(typed) => {
            setUsername(typed)
            form.set('username', typed)
          }}
          description={usernameHint}
          error={form.field('username').error ?? name.error}
        />
        <TextField
          label={signupTexts.forumUsername}
          prefix="/u/"
          autoComplete="off"
          required
          description={signupTexts.forumUsernameHint(forum)}
          {...form.field('redditUsername')}
          onChange={(typed) => form.set('redditUsername', cleanForumUsername(typed))}
        />
        {/* Right before the password: that is what password managers keep with it. */}
        <TextField
          label={signupTexts.email}
          type="email"
          autoComplete="email"
          required
          description={signupTexts.emailHint}
          {...rememberTyped(form.field('email'))}
        />
        <PasswordField
          label={signupTexts.password}
          description={signupTexts.passwordHint}
          autoComplete="new-password"
          required
          {...form.field('password')}
          onChange={(typed) => {
            form.set('password', typed)
            if (passwordShown) form.set('confirmation', typed)
          }}
          onShown={(shown) => {
            setPasswordShown(shown)
            if (shown) form.set('confirmation', password)
          }}
        />
        <PasswordField
          label={signupTexts.confirmation}
          description={passwordShown ? signupTexts.confirmationShown : signupTexts.confirmationHint}
          autoComplete="new-password"
          required
          {...form.field('confirmation')}
          error={noMatch ? signupTexts.mismatch : form.field('confirmation').error}
        />
        <ChoiceField label={signupTexts.creator} choices={CREATOR_CHOICES} {...form.field('isCreator')} />
        <FormError>{form.error}</FormError>
        <Button type="submit" size="lg" loading={form.pending} disabled={noMatch} fullWidth>
          {signupTexts.submit}
        </Button>
      </ContractForm>
      <div className={styles.after}>
        <p className={styles.small}>
          {signupTexts.agree} <TextLink to={paths.termsAndConditions}>{signupTexts.terms}</TextLink>{' '}
          {signupTexts.and} <TextLink to={paths.privacy}>{signupTexts.privacy}</TextLink>{' '}
          {signupTexts.ofBrand(brand)}
        </p>
        <p>
          {signupTexts.haveAccount} <TextLink to={paths.login}>{signupTexts.logIn}</TextLink>
        </p>
      </div>
    </Page>
  )
}

/** Makes the account. Where an answer was lost it may be there already: who has its password is logged in then. */
function useSignup() {
  const unanswered = useRef(false)
  return async (body: Account): Promise<{ token: string }> => {
    try {
      return await call(routes.signup, { body })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status === 0 || error.status >= 500) unanswered.current = true
      if (error.code !== 'signup_taken' || !unanswered.current) throw error
      const { email, password } = body
      const { token } = await call(routes.login, { body: { email, password } }).catch(() => ({ token: null }))
      if (token === null) throw error
      return { token }
    }
  }
}

/** On a desk the first field has the focus; a phone would cover half of the page with its keyboard. */
function useFirstField(form: RefObject<HTMLFormElement | null>): void {
  // Once: a window that gets wider must not take the focus from the field that is typed in.
  useEffect(() => {
    if (matchMedia('(min-width: 60em)').matches)
      form.current?.querySelector<HTMLInputElement>('input:not([readonly])')?.focus()
  }, [form])
}

/** A first tap selects what is suggested, as Tab does, so that typing replaces it. */
function useReplaceable(form: RefObject<HTMLFormElement | null>, suggestion: string | null): void {
  useEffect(() => {
    if (suggestion === null) return
    const input = form.current?.querySelector<HTMLInputElement>('[name="username"]')
    const select = () => {
      if (input?.value === suggestion) input.select()
    }
    input?.addEventListener('click', select, { once: true })
    return () => input?.removeEventListener('click', select)
  }, [form, suggestion])
}

/** Whether nobody has the username that is being typed; neither is said before it is known. */
function useUsername(typed: string): { free?: string; error?: string } {
  const [settled] = useDebouncedValue(typed.trim(), DEBOUNCE_MS)
  const asked = settled === typed.trim() && USERNAME.test(settled) ? settled : null
  const { data } = useQuery(usernameFreeQuery(asked))
  if (!asked || !data) return {}
  return data.free ? { free: asked } : { error: signupTexts.usernameTaken }
}
