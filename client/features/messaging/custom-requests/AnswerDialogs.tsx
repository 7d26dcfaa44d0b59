import { DEFAULT_DELIVERY_DAYS } from '../../../../contract/constants.ts'
import { centsOf, formatMoney, parseMoney } from '../../../../contract/money.ts'
import { customRequestRoutes } from '../../../../contract/routes/messaging/custom-requests.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import DialogWindow from '../../../ui/DialogWindow.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { PriceField } from '../../media/parts/price/PriceField.tsx'
import { offerOf, type RequestTerms, requestChanges, useDeleteRequest } from './api.ts'
import { answerTexts as texts } from './texts.ts'

/** Accepts a request at a price, or changes the price. */
export function AcceptDialog({ request, onClose }: { request: RequestTerms; onClose: () => void }) {
  return (
    <DialogWindow opened onClose={onClose} title={textsOf(request).title}>
      <AcceptForm request={request} onAccepted={onClose} />
    </DialogWindow>
  )
}

const textsOf = ({ price }: RequestTerms) => (price === null ? texts.accepting : texts.changing)

function AcceptForm({ request, onAccepted }: { request: RequestTerms; onAccepted: () => void }) {
  const offer = offerOf(request)
  const form = useContractForm(customRequestRoutes.acceptCustomRequest, {
    initial: {
      price: request.price ?? offer,
      deliveryDays: String(request.deliveryDays ?? DEFAULT_DELIVERY_DAYS),
    },
    body: ({ price, deliveryDays }) => ({
      requestId: request._id,
      price,
      deliveryDays: Number(deliveryDays || Number.NaN),
    }),
    meta: { invalidates: requestChanges },
    onSuccess: () => {
      toast.success(textsOf(request).done)
      onAccepted()
    },
    lost: null,
  })
  return (
    <ContractForm form={form}>
      <PriceField
        label={texts.price}
        description={<PriceHint offer={offer} price={form.values.price} />}
        required
        {...form.field('price')}
      />
      <TextField
        label={texts.days}
        description={texts.daysHint}
        inputMode="numeric"
        required
        {...form.field('deliveryDays')}
      />
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending}>
        {textsOf(request).confirm}
      </Button>
    </ContractForm>
  )
}

/** What the fan offered, and what becomes of a price that differs. */
function PriceHint({ offer, price }: { offer: string; price: string }) {
  const cents = parseMoney(price)
  const more = (cents ?? 0) - centsOf(offer)
  const differs = cents !== null && cents > 0 && more !== 0
  return (
    <>
      {texts.priceHint(offer)}
      <span aria-live="polite">
        {differs && ` ${more > 0 ? texts.above(formatMoney(more), price) : texts.below(price)}`}
      </span>
    </>
  )
}

/** Declines a request, with a reason or without. */
export function DeclineDialog({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  return (
    <DialogWindow opened onClose={onClose} title={texts.declineTitle}>
      <DeclineForm requestId={requestId} onDeclined={onClose} />
    </DialogWindow>
  )
}

function DeclineForm({ requestId, onDeclined }: { requestId: string; onDeclined: () => void }) {
  const form = useContractForm(customRequestRoutes.declineCustomRequest, {
    initial: { reason: '' },
    body: ({ reason }) => ({ requestId, reason }),
    meta: { invalidates: requestChanges },
    onSuccess: () => {
      toast.success(texts.declined)
      onDeclined()
    },
    lost: texts.declineLost,
  })
  return (
    <ContractForm form={form}>
      <TextAreaField
        label={texts.reason}
        description={texts.reasonHint}
        minRows={2}
        maxRows={6}
        {...form.field('reason')}
      />
      <FormError>{form.error}</FormError>
      <Button type="submit" color="red" loading={form.pending}>
        {texts.decline}
      </Button>
    </ContractForm>
  )
}

/** Asks before an own request is deleted. */
export function DeleteDialog({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  const remove = useDeleteRequest()
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={texts.deleteTitle}
      confirmLabel={texts.delete}
      destructive
      onConfirm={async () => {
        const { message } = await remove.mutateAsync(requestId)
        toast.success(message)
      }}
    >
      <p>{texts.deleteEffect}</p>
    </ConfirmDialog>
  )
}
