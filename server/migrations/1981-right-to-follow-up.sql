-- Following patients up is one right, on whichever page it is done; the one before stays for programs before this one.
update role set flags = flags || array['patientFollowUp.add'], version = version + 1
where 'highValuePatients.followUp' = any(flags) and 'patientFollowUp.add' <> all(flags);

update system_role set flags = flags || array['patientFollowUp.add']
where 'highValuePatients.followUp' = any(flags) and 'patientFollowUp.add' <> all(flags);

update template_role set flags = flags || array['patientFollowUp.add']
where 'highValuePatients.followUp' = any(flags) and 'patientFollowUp.add' <> all(flags);
