import { useNavigate } from 'react-router'
import { DEFAULT_PRICE } from '../../../../contract/constants.ts'
import { bundleRoutes } from '../../../../contract/routes/commerce/bundles.ts'
import { subscriptionRoutes } from '../../../../contract/routes/commerce/subscriptions.ts'
import type { Includes } from '../../../../contract/subscriptions.ts'
import { useKeyed } from '../../../lib/idempotency-key.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { PriceField } from '../../media/parts/price/PriceField.tsx'
import { IncludesField } from './IncludesField.tsx'
import { createTexts } from './texts.ts'

export type NewOffer = { title: string; price: string; includes: Includes; key: string }

type CreateDialogProps = {
  kind: 'subscription' | 'bundle'
  opened: boolean
  onClose: () => void
  /** Makes it and answers its id; what it includes matters for a subscription alone. */
  onCreate: (values: NewOffer) => Promise<string>
  editPath: (id: string) => string
}

/** Title and price of something new to sell; then on to choosing what it holds. */
export function CreateDialog({ kind, opened, onClose, onCreate, editPath }: CreateDialogProps) {
  const create = useKeyed(onCreate)
  const navigate = useNavigate()
  const form = useContractForm(
    kind === 'subscription' ? subscriptionRoutes.createSubscription : bundleRoutes.createBundle,
    {
      initial: { title: '', price: DEFAULT_PRICE as string, includes: 'allLocked' as Includes },
      send: (_body, values) => create(values),
      onSuccess: (id) => navigate(editPath(id)),
      lost: opened ? createTexts.lost(kind) : null,
    },
  )

  return (
    <Dialog opened={opened} onClose={onClose} title={createTexts.title(kind)} closable={!form.pending}>
      <ContractForm form={form}>
        <FormError>{form.error}</FormError>
        <TextField label={createTexts.name} required {...form.field('title')} />
        <PriceField
          label={kind === 'subscription' ? createTexts.pricePerMonth : createTexts.price}
          {...(kind === 'subscription' ? { per: 'month' as const } : {})}
          required
          {...form.field('price')}
        />
        {kind === 'subscription' && (
          <IncludesField value={form.values.includes} onChange={(value) => form.set('includes', value)} />
        )}
        <Button type="submit" loading={form.pending}>
          {createTexts.submit(kind)}
        </Button>
      </ContractForm>
    </Dialog>
  )
}
