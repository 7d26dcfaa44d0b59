import { useQuery, useQueryClient } from '@tanstack/react-query'
import { chatSettingsRoutes } from '../../../../contract/routes/messaging/settings.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { type ChatSettings, chatSettingsQuery } from '../api.ts'
import { settingsTexts as texts } from '../occasional-texts.ts'

type Opened = { opened: boolean; onClose: () => void }

/** The people who may write to the creator, and the welcome for new subscribers. */
export default function ChatSettingsDialog({ opened, onClose }: Opened) {
  const settings = useQuery({ ...chatSettingsQuery, enabled: opened })
  return (
    <Dialog opened={opened} onClose={onClose} title={texts.title}>
      <Fetched query={settings} failed={texts.loadFailed}>
        {(data) => <SettingsForm settings={data} onSaved={onClose} />}
      </Fetched>
    </Dialog>
  )
}

const AUDIENCES = [
  'everyone',
  'followers',
  'subscribers',
  'chat',
] as const satisfies readonly ChatSettings['audience'][]

function SettingsForm({ settings, onSaved }: { settings: ChatSettings; onSaved: () => void }) {
  const client = useQueryClient()
  const form = useContractForm(chatSettingsRoutes.setChatSettings, {
    initial: settings,
    onSuccess: (answer) => {
      client.setQueryData(chatSettingsQuery.queryKey, answer)
      toast.success(texts.saved)
      onSaved()
    },
    lost: texts.lost,
  })
  return (
    <ContractForm form={form}>
      <ChoiceField
        label={texts.audience}
        choices={AUDIENCES.map((value) => ({ value, label: texts[value] }))}
        value={form.values.audience}
        onChange={(audience) => form.set('audience', audience)}
      />
      <TextAreaField
        label={texts.welcome}
        description={texts.welcomeHint}
        minRows={2}
        {...form.field('welcomeMessage')}
      />
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending} fullWidth>
        {texts.save}
      </Button>
    </ContractForm>
  )
}
