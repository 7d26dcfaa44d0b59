import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { regionRoutes } from '../../../../contract/routes/compliance/regions.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FieldPair } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Region, useSetRegion } from './api.ts'

/** Adds a restricted region, or changes the one given. */
export function RegionDialog({ region, onClose }: { region?: Region; onClose: () => void }) {
  const save = useSetRegion()
  const form = useContractForm(regionRoutes.setRegion, {
    initial: {
      country: region?.country ?? 'US',
      code: region?.code ?? '',
      name: region?.name ?? '',
      vpnHint: region?.vpnHint ?? true,
      reason: '',
    },
    send: (body) => save.mutateAsync(body),
    onSuccess: (_answer, { name }) => {
      toast.success(region ? `${name} was changed.` : `${name} is restricted now.`)
      onClose()
    },
    lost: 'What you typed about this region isn’t saved.',
  })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={region ? `Change ${region.name}` : 'Restrict a region'}
      closable={!form.pending}
    >
      <ContractForm form={form}>
        <TextField label="Full name" {...form.field('name')} required />
        <FieldPair>
          <TextField
            label="Country"
            description="Two letters"
            {...form.field('country')}
            readOnly={region !== undefined}
            required
          />
          <TextField
            label="Code"
            description="As in US-TX: TX"
            {...form.field('code')}
            readOnly={region !== undefined}
            required
          />
        </FieldPair>
        <Switch
          checked={!form.values.vpnHint}
          onChange={(event) => form.set('vpnHint', !event.currentTarget.checked)}
          label="No word of VPNs"
          description="The law there forbids telling visitors how to get around the check."
          size="md"
        />
        <TextField
          label="Reason"
          description="Which law, from when; kept in the audit log."
          {...form.field('reason')}
          required
        />
        <FormError>{form.error}</FormError>
        <Button type="submit" loading={form.pending}>
          {region ? 'Save' : 'Restrict'}
        </Button>
      </ContractForm>
    </Dialog>
  )
}
