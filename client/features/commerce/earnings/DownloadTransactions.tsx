import { earningsRoutes } from '../../../../contract/routes/commerce/earnings.ts'
import { fetchFile } from '../../../lib/files.ts'
import { routes } from '../../../lib/routes.ts'
import { serverNow } from '../../../lib/server-clock.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { saveFile } from '../../../ui/download.ts'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { dayOf } from '../../../ui/format.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { ownTimeZone } from '../../../ui/own-time-zone.ts'
import { texts } from './texts.ts'

const words = texts.file

/** Asks for which days, and hands the person all their transactions of them as a file that the server writes. */
export function DownloadTransactions({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={words.title}>
      {opened && <DownloadForm onDone={onClose} />}
    </Dialog>
  )
}

function DownloadForm({ onDone }: { onDone: () => void }) {
  const form = useContractForm(earningsRoutes.transactionsFile, {
    initial: { from: '', to: '' },
    body: ({ from, to }) => ({ from: from || undefined, to: to || undefined, timeZone: ownTimeZone() }),
    check: ({ from, to }) => (from && to && to < from ? { to: words.wrongOrder } : {}),
    send: (query) => fetchFile(routes.transactionsFile, { query }),
    onSuccess: ({ name, blob }) => {
      saveFile(name, blob)
      onDone()
    },
    lost: null,
  })
  const today = dayOf(serverNow())
  return (
    <ContractForm form={form}>
      <p>{words.about}</p>
      <TextField label={words.from} type="date" max={today} {...form.field('from')} />
      <TextField label={words.to} type="date" max={today} {...form.field('to')} />
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending}>
        {words.download}
      </Button>
    </ContractForm>
  )
}
