import { editTexts as texts } from './texts.ts'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconLockOpen2 } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { libraryRoutes } from '../../../../contract/routes/media/library.ts'
import { errorMessage } from '../../../lib/api.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { peopleQuery, useUnlock } from './api.ts'
import styles from './UnlockForFan.module.css'

/** How long the typing rests before people are searched for (docs/product.md, Limits). */
const DEBOUNCE_MS = 200

type Fan = { value: string; label: string }

/** The operator unlocks an item for a chosen fan (docs/product.md, Pages, Media edit form); it is written to the audit log. */
export function UnlockForFan({ mediaId }: { mediaId: string }) {
  const unlock = useUnlock(mediaId)
  const [typed, setTyped] = useState('')
  const [filter] = useDebouncedValue(typed.trim().slice(0, 60), DEBOUNCE_MS)
  const people = useQuery({ ...peopleQuery(filter), placeholderData: keepPreviousData })
  const [fan, setFan] = useState<Fan | null>(null)
  const found = (people.data ?? []).map(({ _id, username }) => ({ value: _id, label: username }))

  const form = useContractForm(libraryRoutes.unlockMedia, {
    initial: { customerId: '', reason: '' },
    body: ({ customerId, reason }) => ({ customerId, mediaId, ...(reason.trim() ? { reason } : {}) }),
    send: ({ mediaId: _, ...sent }) => unlock.mutateAsync(sent),
    afterSaved: (_answer, sent) => {
      const next = { ...sent, reason: '' }
      return { saved: next, values: next }
    },
    lost: null,
  })
  return (
    <Card>
      <ContractForm form={form}>
        <h2 className={styles.title}>{texts.unlock.title}</h2>
        <Select
          label={texts.unlock.fan}
          placeholder={texts.unlock.fanHint}
          data={fan && !found.some(({ value }) => value === fan.value) ? [fan, ...found] : found}
          value={fan?.value ?? null}
          onChange={(_, chosen) => {
            setFan(chosen)
            form.set('customerId', chosen?.value ?? '')
          }}
          searchable
          searchValue={typed}
          onSearchChange={setTyped}
          // The server has searched already.
          filter={({ options }) => options}
          maxDropdownHeight={260}
          nothingFoundMessage={
            people.isError
              ? errorMessage(people.error)
              : people.isFetching
                ? texts.unlock.searching
                : texts.unlock.noOne
          }
          error={form.errorAt('customerId') ?? null}
        />
        <TextAreaField
          label={texts.unlock.reason}
          description={texts.unlock.reasonHint}
          minRows={2}
          {...form.field('reason')}
        />
        <div className={styles.actions}>
          <Button
            type="submit"
            variant="default"
            leftSection={<IconLockOpen2 size={18} stroke={1.75} aria-hidden />}
            loading={form.pending}
          >
            {texts.unlock.submit}
          </Button>
          <p className={styles.done} role="status">
            {form.answer && texts.unlock.done}
          </p>
        </div>
        <FormError>{form.error}</FormError>
      </ContractForm>
    </Card>
  )
}
