/* e84d419e8edb40be4b39b6aedee56c66234af50cfc9f3630539cbe7a4d28482a */
(()=>{var e=document.getElementById("viewer");SwaggerUIBundle({url:e.dataset.description,domNode:e,deepLinking:!0,validatorUrl:"none",requestInterceptor:r=>(r.headers["X-CSRFToken"]=e.dataset.csrf,r)});})();
