import '@mantine/core/styles/Switch.css'
import { Button, Switch } from '@mantine/core'
import { useState } from 'react'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FieldPair, Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { toast } from '../../../ui/toast.ts'
import { type Region, useSetRegion } from './api.ts'

/** Adds a restricted region, or changes the one given. */
export function RegionDialog({ region, onClose }: { region?: Region; onClose: () => void }) {
  const [values, setValues] = useState({
    country: region?.country ?? 'US',
    code: region?.code ?? '',
    name: region?.name ?? '',
    vpnHint: region?.vpnHint ?? true,
    reason: '',
  })
  const save = useSetRegion()
  const errors = save.error instanceof ApiError ? save.error.details : {}
  const set = (field: 'country' | 'code' | 'name' | 'reason') => (text: string) =>
    setValues((current) => ({ ...current, [field]: text }))
  const submit = () =>
    save.mutate(values, {
      onSuccess: () => {
        toast.success(region ? `${values.name} was changed.` : `${values.name} is restricted now.`)
        onClose()
      },
    })
  return (
    <Dialog
      opened
      onClose={onClose}
      title={region ? `Change ${region.name}` : 'Restrict a region'}
      closable={!save.isPending}
    >
      <Form onSubmit={submit}>
        <TextField
          label="Full name"
          value={values.name}
          onChange={set('name')}
          error={errors.name}
          required
        />
        <FieldPair>
          <TextField
            label="Country"
            description="Two letters"
            value={values.country}
            onChange={set('country')}
            error={errors.country}
            readOnly={region !== undefined}
            required
          />
          <TextField
            label="Code"
            description="As in US-TX: TX"
            value={values.code}
            onChange={set('code')}
            error={errors.code}
            readOnly={region !== undefined}
            required
          />
        </FieldPair>
        <Switch
          checked={!values.vpnHint}
          onChange={(event) => {
            const { checked } = event.currentTarget
            setValues((current) => ({ ...current, vpnHint: !checked }))
          }}
          label="No word of VPNs"
          description="The law there forbids telling visitors how to get around the check."
          size="md"
        />
        <TextField
          label="Reason"
          description="Which law, from when; kept in the audit log."
          value={values.reason}
          onChange={set('reason')}
          error={errors.reason}
          required
        />
        <FormError>
          {save.error && Object.keys(errors).length === 0 ? errorMessage(save.error) : null}
        </FormError>
        <Button type="submit" loading={save.isPending}>
          {region ? 'Save' : 'Restrict'}
        </Button>
      </Form>
    </Dialog>
  )
}
