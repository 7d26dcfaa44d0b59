import { IconLockOpen2 } from '@tabler/icons-react'
import { useState } from 'react'
import { libraryRoutes } from '../../../../contract/routes/media/library.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { PeopleField, type Picked } from '../../profiles/parts/people/PeopleField.tsx'
import { useUnlock } from './api.ts'
import { editTexts as texts } from './texts.ts'
import styles from './UnlockForFan.module.css'

/** The operator unlocks an item for a chosen fan (docs/product.md, Pages, Media edit form); it is written to the audit log. */
export function UnlockForFan({ mediaId }: { mediaId: string }) {
  const unlock = useUnlock(mediaId)
  const [fan, setFan] = useState<Picked | null>(null)

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
        <PeopleField
          legend={texts.unlock.fan}
          value={fan ? [fan] : []}
          // The last picked person is the one it is unlocked for.
          onChange={(people) => {
            const picked = people.at(-1) ?? null
            setFan(picked)
            form.set('customerId', picked?._id ?? '')
          }}
          error={form.errorAt('customerId')}
          nobody={texts.unlock.noOne}
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
