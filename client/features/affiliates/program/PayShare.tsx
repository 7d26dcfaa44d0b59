import { useState } from 'react'
import { subredditAffiliateRoutes } from '../../../../contract/routes/commerce/subreddit-affiliates.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import { useReauthentication } from '../../identity/parts/reauthentication/ReauthenticationDialog.tsx'
import { type Application, usePayShare } from './api.ts'
import { programTexts as texts } from './texts.ts'

/** Gives the held share of a subreddit to its moderator. */
export function PayShare({ application }: { application: Application }) {
  const [opened, setOpened] = useState(false)
  const title = texts.payTitle(application.subreddit)
  return (
    <>
      <Button size="sm" variant="default" aria-label={title} onClick={() => setOpened(true)}>
        {texts.pay}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={title}>
        <PayForm application={application} onPaid={() => setOpened(false)} />
      </Dialog>
    </>
  )
}

function PayForm({ application, onPaid }: { application: Application; onPaid: () => void }) {
  const { _id: applicationId, subreddit, proposal } = application
  const pay = usePayShare(useReauthentication())
  const form = useContractForm(subredditAffiliateRoutes.paySubredditShare, {
    initial: { moderator: proposal?.moderator?.username ?? '', reason: '' },
    body: (values) => ({ applicationId, ...values }),
    send: (body) => pay.mutateAsync(body),
    onSuccess: ({ waits }) => {
      toast.success(waits ? texts.waits(subreddit) : texts.paid)
      onPaid()
    },
    lost: null,
  })
  return (
    <ContractForm form={form} label={texts.pay}>
      <TextField label={texts.moderator} autoComplete="off" required {...form.field('moderator')} />
      <TextField label={texts.reason} autoComplete="off" required {...form.field('reason')} />
      <FormError>{form.error}</FormError>
      <div>
        <Button type="submit" loading={form.pending}>
          {texts.pay}
        </Button>
      </div>
    </ContractForm>
  )
}
