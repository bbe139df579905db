/* 5823e4bc4b640e9fcd47ca08880900fc5e2965b64ef4f30ae234414602fade73 */
(()=>{var e=document.getElementById("viewer");SwaggerUIBundle({url:e.dataset.description,domNode:e,deepLinking:!0,validatorUrl:"none",requestInterceptor:r=>(r.headers["X-CSRFToken"]=e.dataset.csrf,r)});})();
