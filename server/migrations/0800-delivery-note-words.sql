-- Columns and signatures of the delivery note are called as the law calls them; what houses wrote down by their old names says the new ones.
do $$ declare word text[]; begin
  foreach word slice 1 in array array[
    ['生产许可证号', '生产许可证号/备案号'], ['注册证号', '注册证号/备案号'], ['有效期至', '使用期限/有效期至'], ['含税单价', '单价']] loop
    update print_template
       set column_layout = regexp_replace(column_layout, '(^|[、,，;；\n]\s*)' || word[1] || '(?=\s*(\d{1,3}\s*)?([、,，;；\n]|$))', '\1' || word[2], 'g')
     where sheet = '/newprint/outboundOrder' and column_layout is not null;
    update print_template_version v
       set layout = jsonb_set(layout, '{column_layout}', to_jsonb(regexp_replace(layout->>'column_layout', '(^|[、,，;；\n]\s*)' || word[1] || '(?=\s*(\d{1,3}\s*)?([、,，;；\n]|$))', '\1' || word[2], 'g')))
     where layout->>'column_layout' is not null
       and exists (select 1 from document_first_print p where p.org_id = v.org_id and p.template_id = v.template_id and p.revision = v.revision and p.sheet = '/newprint/outboundOrder');
  end loop;
  update print_template set signatures = replace(signatures, '发货人(章)', '发货人(出库专用章位置)') where sheet = '/newprint/outboundOrder';
end $$;
