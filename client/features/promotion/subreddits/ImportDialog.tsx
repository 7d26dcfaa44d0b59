import { subredditRoutes } from '../../../../contract/routes/promotion/subreddits.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { importNames, subredditChanges } from './api.ts'
import { importsOf, namesIn } from './names.ts'
import styles from './subreddits.module.css'
import { importTexts as texts } from './texts.ts'

/** How many of the words that are no name are told. */
const TOLD = 5

/** Imports subreddits by pasted names; what was pasted stays when that fails. */
export function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      <ImportForm onDone={onClose} />
    </Dialog>
  )
}

function ImportForm({ onDone }: { onDone: () => void }) {
  const form = useContractForm(subredditRoutes.importSubreddits, {
    initial: { names: '' },
    // The first of the calls that it takes; the others are alike.
    body: ({ names }) => ({ names: importsOf(namesIn(names).names)[0] ?? [] }),
    check: ({ names }) => wrongWords(names),
    send: (_first, { names }) => importNames(namesIn(names).names),
    onSuccess: ({ added }, { names }) => {
      toast.success(texts.done(added, namesIn(names).names.length - added))
      onDone()
    },
    meta: subredditChanges,
    // Of one name it is said at the field that holds them all.
    pathOf: () => 'names',
    lost: texts.lost,
  })
  const { length } = namesIn(form.values.names).names
  return (
    <ContractForm form={form}>
      <TextAreaField label={texts.label} description={texts.hint} minRows={6} {...form.field('names')} />
      {length > 0 && (
        <p role="status" className={styles.quiet}>
          {texts.found(length)}
        </p>
      )}
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending} fullWidth>
        {texts.submit}
      </Button>
    </ContractForm>
  )
}

function wrongWords(typed: string): { names?: string } {
  const { names, wrong } = namesIn(typed)
  if (wrong.length > 0) return { names: texts.wrong(wrong.slice(0, TOLD), wrong.length - TOLD) }
  return names.length === 0 ? { names: texts.none } : {}
}
