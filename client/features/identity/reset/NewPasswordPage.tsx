import { IconCircleCheck, IconLinkOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { passwordRoutes } from '../../../../contract/routes/identity/passwords.ts'
import { ApiError, call, errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { roots } from '../../../lib/query.ts'
import { routes } from '../../../lib/routes.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { PasswordField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { OperatorAccount, OperatorEmail } from '../../../ui/text-page/OperatorContact.tsx'
import { newPasswordTexts } from './texts.ts'

/** Set a new password with the link of the reset mail, which is checked first (docs/product.md, Pages and Texts). */
export function Component() {
  const { userId = '', token = '' } = useParams()
  const link = useQuery({
    queryKey: [...roots.identity, 'reset', userId, token],
    queryFn: ({ signal }) => call(routes.checkResetToken, { body: { userId, token } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

  if (isInvalid(link.error)) return <Invalid />
  return (
    <Fetched
      query={link}
      waiting={
        <Page title={newPasswordTexts.title} lead={newPasswordTexts.checking} width="form">
          <SkeletonLines />
        </Page>
      }
      failed={newPasswordTexts.notChecked}
      around={(failure) => (
        <Page title={newPasswordTexts.title} width="form">
          {failure}
        </Page>
      )}
    >
      {() => <NewPassword userId={userId} token={token} />}
    </Fetched>
  )
}

function NewPassword({ userId, token }: { userId: string; token: string }) {
  const form = useContractForm(passwordRoutes.updatePassword, {
    initial: { password: '' },
    body: ({ password }) => ({ userId, token, password }),
    sentence: (error) => newPasswordTexts.failed(errorMessage(error)),
    lost: null,
  })

  if (form.answer) {
    return (
      <Page title={newPasswordTexts.title} width="form">
        <EmptyState
          Icon={IconCircleCheck}
          title={newPasswordTexts.done}
          action={<LinkButton to={paths.login}>{newPasswordTexts.logIn}</LinkButton>}
        >
          {newPasswordTexts.doneHint}
        </EmptyState>
      </Page>
    )
  }
  if (isInvalid(form.failure)) return <Invalid />
  return (
    <Page title={newPasswordTexts.title} lead={newPasswordTexts.lead} width="form">
      <ContractForm form={form}>
        <PasswordField
          label={newPasswordTexts.password}
          autoComplete="new-password"
          description={newPasswordTexts.hint}
          required
          {...form.field('password')}
        />
        <FormError>{form.error}</FormError>
        <Button type="submit" size="lg" fullWidth loading={form.pending}>
          {newPasswordTexts.submit}
        </Button>
      </ContractForm>
    </Page>
  )
}

function Invalid() {
  return (
    <Page title={newPasswordTexts.title} width="form">
      <EmptyState
        Icon={IconLinkOff}
        title={newPasswordTexts.invalidTitle}
        action={<LinkButton to={paths.reset}>{newPasswordTexts.newLink}</LinkButton>}
      >
        <p role="alert">
          {newPasswordTexts.invalid} <OperatorEmail>{newPasswordTexts.byEmail}</OperatorEmail>.
        </p>
        <p>
          {newPasswordTexts.official} <OperatorAccount />. {newPasswordTexts.invalidHint}
        </p>
      </EmptyState>
    </Page>
  )
}

function isInvalid(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.code === 'reset_invalid' || error.code === 'invalid_input') &&
    !error.details.password
  )
}
